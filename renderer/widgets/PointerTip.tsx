import type { ReactNode } from 'react';
import './tooltip.css';

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
