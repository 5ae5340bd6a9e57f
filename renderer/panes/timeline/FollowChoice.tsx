import { type ReactNode, type KeyboardEvent, useEffect } from 'react';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import { chooseRange, endRangeNow, dismissOffer } from '../../store/time-actions.ts';
import { isFrozen, mayGrow } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { compareWithRest } from '../../store/compare-actions.ts';
import { take } from '../../widgets/key-name.ts';

const SECOND = 1e9;
const CHOICES = [
  { text: 'Last 10 s', ns: 10 * SECOND },
  { text: 'Last 30 s', ns: 30 * SECOND },
  { text: 'Last 5 min', ns: 300 * SECOND },
] as const;
const ALL = 'all';
const SINCE = 'since';
const STILL = 'still';

/**
 * Whether the range moves on with a log that grows: its newest samples, or all, or all since a mark. Or it is frozen: its
 * end stands still, at the newest sample so far or where it was dragged to. Only for logs that grow or have grown here, and while a
 * range follows.
 */
export function FollowChoice({ log }: { readonly log: LogView }): ReactNode {
  const { range } = log.scope;
  const state = log.status?.state;
  // A log that pauses goes on: the choice stays, also beside a range that stands still. A file is not yet known to grow
  // while it is read for the first time.
  const grows = state === 'live' || (log.hasGrown && (state === 'reading' || mayGrow(log)));
  if (!grows && !isFrozen(log) && range?.kind !== 'latest') return null;
  const chosen = choiceOf(range);
  const isOther = range?.kind === 'latest' && !CHOICES.some(({ ns }) => ns === range.ns);
  return (
    <label className="select" data-tip="What the panes look at while the log grows">
      <span className="unseen">Follow</span>
      <select
        value={chosen}
        data-testid="timeline-follow"
        onChange={({ target: { value } }) => {
          if (value === ALL) chooseRange(undefined);
          else if (value === STILL) endRangeNow();
          else if (value !== SINCE) chooseRange({ kind: 'latest', ns: Number(value) });
        }}
      >
        <option value={ALL}>All time</option>
        {CHOICES.map(({ text, ns }) => (
          <option key={ns} value={ns}>
            {text}
          </option>
        ))}
        {isOther && <option value={chosen}>Last {Number(chosen) / SECOND} s</option>}
        {chosen === SINCE && <option value={SINCE}>Since the start of the range</option>}
        <option value={STILL}>{chosen === STILL ? 'Frozen' : 'Freeze'}</option>
      </select>
    </label>
  );
}

function choiceOf(range: TimeRange | undefined): string {
  if (range === undefined) return ALL;
  if (range.kind === 'latest') return String(range.ns);
  return range.to === undefined ? SINCE : STILL;
}

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
