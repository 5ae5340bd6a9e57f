import type { ReactNode } from 'react';
import type { TimeRange } from '../../../shared/scope/scope.ts';
import { chooseRange, endRangeNow } from '../../store/actions/time-actions.ts';
import { isFrozen, mayGrow } from '../../store/state/selectors.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { Select } from '../../widgets/Select.tsx';

const SECOND = 1e9;
const CHOICES = [
  { text: 'Last 10 s', value: String(10 * SECOND) },
  { text: 'Last 30 s', value: String(30 * SECOND) },
  { text: 'Last 5 min', value: String(300 * SECOND) },
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
  const isOther = range?.kind === 'latest' && !CHOICES.some(({ value }) => value === chosen);
  return (
    <Select<string>
      label="Follow"
      isBare
      hint="What the panes look at while the log grows"
      choices={[
        { value: ALL, text: 'All time' },
        ...CHOICES,
        ...(isOther ? [{ value: chosen, text: `Last ${Number(chosen) / SECOND} s` }] : []),
        ...(chosen === SINCE ? [{ value: SINCE, text: 'Since the start of the range' }] : []),
        { value: STILL, text: chosen === STILL ? 'Frozen' : 'Freeze' },
      ]}
      value={chosen}
      onChange={(value) => {
        if (value === ALL) chooseRange(undefined);
        else if (value === STILL) endRangeNow();
        else if (value !== SINCE) chooseRange({ kind: 'latest', ns: Number(value) });
      }}
      testId="timeline-follow"
    />
  );
}

function choiceOf(range: TimeRange | undefined): string {
  if (range === undefined) return ALL;
  if (range.kind === 'latest') return String(range.ns);
  return range.to === undefined ? SINCE : STILL;
}
