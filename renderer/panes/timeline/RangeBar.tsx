import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { chooseRange } from '../../store/actions/time-actions.ts';
import { take } from '../../widgets/key-name.ts';
import { compareWithRest } from '../../store/actions/compare-actions.ts';
import { dismissOffer } from './drag-range.ts';

const TEST_ID = 'range-bar';

export function isInRangeBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`[data-testid=${TEST_ID}]`) !== null;
}

interface RangeBarProps {
  /** The middle of the range, CSS pixels. */
  readonly at: number;
  readonly onZoom: () => void;
}

/** The bar at a range that was just chosen. A click anywhere else, or Escape, closes it. */
export function RangeBar({ at, onZoom }: RangeBarProps): ReactNode {
  useEffect(() => {
    const onPointerDown = ({ target }: Event): void => {
      if (!isInRangeBar(target)) dismissOffer();
    };
    window.addEventListener('pointerdown', onPointerDown, true);
    return () => window.removeEventListener('pointerdown', onPointerDown, true);
  }, []);
  const button = (text: string, run: () => void): ReactNode => (
    <button
      type="button"
      className="button button-small"
      onClick={() => {
        run();
        dismissOffer();
      }}
    >
      {text}
    </button>
  );
  return (
    <div
      className="range-bar"
      role="toolbar"
      aria-label="The selected time range"
      data-testid={TEST_ID}
      style={{ left: `clamp(0px, ${at}px - var(--range-bar) / 2, 100% - var(--range-bar))` }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        dismissOffer();
        take(event);
      }}
    >
      {button('Zoom', onZoom)}
      {button('Compare with the rest', compareWithRest)}
      {button('Clear', () => chooseRange(undefined))}
    </div>
  );
}
