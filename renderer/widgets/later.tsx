import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** A part of the window that the first screen does not need. It is loaded when first shown, or before. */
export interface LaterPart<Props> {
  readonly isLoaded: () => boolean;
  /** Loads it ahead of time. A failure is not reported: showing the part reports it. */
  readonly prefetch: () => void;
  /** Renders nothing until it is loaded, or if loading fails; at once when it is here. */
  readonly Part: (props: Props) => ReactNode;
}

/**
 * `onFailure` is called each time loading to show it fails. A browser may keep a failed import until the page is reloaded. React's own `lazy` shows what
 * was loaded up to 300 ms later.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): LaterPart<Props> {
  let here: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (here ??= await load());
  return {
    isLoaded: () => here !== undefined,
    prefetch: () => void loadOnce().catch(() => undefined),
    Part(props) {
      const [Content, setContent] = useState(() => here);
      useEffect(() => {
        if (Content === undefined) loadOnce().then((loaded) => setContent(() => loaded), onFailure);
      }, [Content]);
      return Content === undefined ? null : <Content {...props} />;
    },
  };
}
