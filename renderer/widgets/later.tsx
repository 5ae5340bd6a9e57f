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
  const loadOnce = async (): Promise<ComponentType<Props>> => {
    if (here === undefined) await reachHost();
    try {
      return (here ??= await load());
    } catch (error) {
      throw new PartMissing(error);
    }
  };
  return {
    isLoaded: () => here !== undefined,
    prefetch: () => void loadOnce().catch(() => undefined),
    // React's own `lazy` shows what was loaded up to 300 ms later, and keeps a failure.
    Part(props) {
      const [Content, setContent] = useState(() => here);
      const [failure, setFailure] = useState<'host' | 'part'>();
      const start = useCallback(() => {
        loadOnce().then(
          (loaded) => setContent(() => loaded),
          (error: unknown) => setFailure(error instanceof PartMissing ? 'part' : 'host'),
        );
      }, []);
      useEffect(() => {
        if (Content === undefined) start();
      }, [Content, start]);
      if (Content !== undefined) return <Content {...props} />;
      if (failure === undefined) return null;
      return <Frame>{failure === 'host' ? <HostFailure onRetry={start} /> : <PartFailure />}</Frame>;
    },
  };
}

/** The host answers, but the part could not be loaded. */
class PartMissing extends Error {
  constructor(cause: unknown) {
    super('a part of the window could not be loaded', { cause });
  }
}

/** A question to the host that is under way. Parts wait for it together: they are prefetched at once. */
let asked: Promise<unknown> | undefined;

/**
 * Rejects when the host does not answer. It is asked first because a browser keeps the failure of an `import()` as long
 * as the page lives: the part would not load when it is tried again.
 */
async function reachHost(): Promise<void> {
  asked ??= fetch('./', { cache: 'no-store' }).finally(() => (asked = undefined));
  await asked;
}

function HostFailure({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  return (
    <div className="load-failure" role="alert">
      <p>This part of the window could not be loaded.</p>
      <p>If Leanscope has ended, start it again.</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Only another page asks for the file again. What is open and looked at is there after a reload. */
function PartFailure(): ReactNode {
  return (
    <div className="load-failure" role="alert">
      <p>This part of the window could not be loaded.</p>
      <p>Leanscope may have been updated meanwhile. Reload the window.</p>
      <button type="button" className="button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </div>
  );
}
