import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** A part of the window that is loaded when first shown, because it is rarely used. */
export interface LaterPart<Props> {
  /** It has been loaded. */
  readonly isHere: () => boolean;
  /** Renders nothing until it is loaded, or if loading fails. */
  readonly Part: (props: Props) => ReactNode;
}

/** `onFailure` is called each time loading fails; the next rendering tries again. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): LaterPart<Props> {
  let isHere = false;
  const attempt = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        const Part = await load();
        isHere = true;
        return { default: Part };
      } catch {
        Loaded = attempt();
        onFailure();
        return { default: (): ReactNode => null };
      }
    });
  let Loaded = attempt();
  return {
    isHere: () => isHere,
    Part(props) {
      return (
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      );
    },
  };
}
