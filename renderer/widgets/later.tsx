import { type ComponentType, Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import './later.css';

/** A part of the window that the first screen does not need. It is loaded when first shown, or before. */
export interface LaterPart<Props> {
  readonly isLoaded: () => boolean;
  /** Loads it ahead of time. A failure is not reported: showing the part reports it. */
  readonly prefetch: () => void;
  /** Renders nothing until it is loaded; at once when it is here. If loading fails, it says so and offers to try again. */
  readonly Part: (props: Props) => ReactNode;
}

/** `Frame` is around the message that loading failed, for a part that brings its own: a dialog. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Frame: ComponentType<{ readonly children: ReactNode }> = Fragment,
): LaterPart<Props> {
  let here: ComponentType<Props> | undefined;
  /** What failed; undefined when the part is here. */
  const loadOnce = async (): Promise<'host' | 'part' | undefined> => {
    if (here !== undefined) return undefined;
    if (!(await reachesHost())) return 'host';
    try {
      here ??= await load();
      return undefined;
    } catch {
      return 'part';
    }
  };
  return {
    isLoaded: () => here !== undefined,
    prefetch: () => void loadOnce(),
    // React's own `lazy` shows what was loaded up to 300 ms later, and keeps a failure.
    Part(props) {
      const [Content, setContent] = useState(() => here);
      const [failure, setFailure] = useState<'host' | 'part'>();
      const start = useCallback(() => {
        void loadOnce().then((failed) => {
          setFailure(failed);
          setContent(() => here);
        });
      }, []);
      useEffect(() => {
        if (Content === undefined) start();
      }, [Content, start]);
      if (Content !== undefined) return <Content {...props} />;
      if (failure === undefined) return null;
      return (
        <Frame>
          <LoadFailure failed={failure} onRetry={start} />
        </Frame>
      );
    },
  };
}

/** A question to the host that is under way. Parts wait for it together: they are prefetched at once. */
let asked: Promise<boolean> | undefined;

/**
 * Whether the host answers. It is asked first because a browser keeps the failure of an `import()` as long as the page
 * lives: the part would not load when it is tried again.
 */
function reachesHost(): Promise<boolean> {
  asked ??= fetch('./', { cache: 'no-store' })
    .then(
      () => true,
      () => false,
    )
    .finally(() => (asked = undefined));
  return asked;
}

interface LoadFailureProps {
  readonly failed: 'host' | 'part';
  readonly onRetry: () => void;
}

/** If the part alone failed, only another page asks for its file again: see `reachesHost`. */
function LoadFailure({ failed, onRetry }: LoadFailureProps): ReactNode {
  const [advice, action, onClick] =
    failed === 'host'
      ? ['If Leanscope has ended, start it again.', 'Try again', onRetry]
      : [
          'Leanscope may have been updated meanwhile. Reload the window.',
          'Reload',
          () => window.location.reload(),
        ];
  return (
    <div className="load-failure" role="alert">
      <p>This part of the window could not be loaded.</p>
      <p>{advice}</p>
      <button type="button" className="button" onClick={onClick}>
        {action}
      </button>
    </div>
  );
}
