import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** A part of the window that is loaded when it is first shown, because few look at it. */
export interface LaterPart<Props> {
  /** It has been loaded. */
  readonly isHere: () => boolean;
  /** Shows nothing until it is there, and where it cannot be loaded. */
  readonly Part: (props: Props) => ReactNode;
}

/** `onFailure` is told each time when it could not be loaded; what is shown after that tries again. */
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
