import { type ReactNode, useEffect, useRef } from 'react';
import './layers.css';

const REST_MS = 450;

/**
 * The tooltip of what is no canvas: shows the `data-tip` of the hovered or focused element. It repeats or adds to the
 * element's own name, so screen readers ignore it.
 */
export function TooltipLayer(): ReactNode {
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let owner: Element | null = null;

    function hide(): void {
      clearTimeout(timer);
      owner = null;
      tip?.hidePopover();
    }
    function show(target: Element): void {
      const text = target.getAttribute('data-tip');
      if (tip === null || text === null || !(target instanceof HTMLElement) || !target.isConnected) return;
      tip.textContent = text;
      tip.showPopover({ source: target });
    }
    function onOver({ target, type }: Event): void {
      if (!(target instanceof Element) || (type === 'focusin' && !target.matches(':focus-visible'))) return;
      const tipped = target.closest('[data-tip]');
      if (tipped === owner) return;
      hide();
      owner = tipped;
      if (tipped !== null) timer = setTimeout(() => show(tipped), REST_MS);
    }

    const listening = new AbortController();
    const { signal } = listening;
    for (const type of ['pointerover', 'focusin']) document.addEventListener(type, onOver, { signal });
    for (const type of ['pointerdown', 'keydown', 'scroll'])
      document.addEventListener(type, hide, { capture: true, signal });
    // Its element moves, and it could end outside of a narrower window.
    window.addEventListener('resize', hide, { signal });
    return () => {
      hide();
      listening.abort();
    };
  }, []);

  return <div ref={element} className="tooltip" popover="manual" aria-hidden="true" />;
}

/** A place in the window, CSS pixels. */
export interface PointerPlace {
  readonly clientX: number;
  readonly clientY: number;
}

interface PointerTipProps {
  readonly at: PointerPlace;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A tooltip that goes with the pointer, on the side where there is more room. */
export function PointerTip({ at: { clientX, clientY }, testId, children }: PointerTipProps): ReactNode {
  const [right, below] = [window.innerWidth - clientX, window.innerHeight - clientY];
  return (
    <div
      className="tooltip pointer-tip"
      aria-hidden="true"
      data-testid={testId}
      style={{
        ...(clientX < right ? { left: clientX + 12 } : { right: right + 12 }),
        ...(clientY < below ? { top: clientY + 16 } : { bottom: below + 16 }),
      }}
    >
      {children}
    </div>
  );
}
