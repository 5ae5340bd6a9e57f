import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/**
 * A part of the window that is loaded when it is first shown, because few look at it. Until it is there, and where it
 * cannot be loaded, it shows nothing; `onFailure` is told of the latter, once.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): (props: Props) => ReactNode {
  const Loaded = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      onFailure();
      return { default: (): ReactNode => null };
    }
  }) as unknown as ComponentType<Props>;
  return function Later(props) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
