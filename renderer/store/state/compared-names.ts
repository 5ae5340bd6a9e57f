import { type Comparability, comparability } from '../../../shared/facts/comparability.ts';
import type { Baseline, TimeRange } from '../../../shared/scope/scope.ts';
import { contextsText } from '../../../shared/scope/context-condition.ts';
import { threadsText } from '../../../shared/scope/thread-pattern.ts';
import {
  contextsApart,
  haveSharedThreads,
  isOfRanges,
  SHARED_THREADS_NOTE,
  type SideWithout,
  sideWithout,
} from '../../../shared/scope/apart.ts';
import { boundsInSpan, rangeText } from '../../../shared/scope/time-range.ts';
import { type TimeBounds, UNBOUNDED } from '../../../shared/engine/values/time-range.ts';
import { shownName } from './log-names.ts';
import { activeLog } from './selectors.ts';
import type { LogView, WindowState } from './window-state.ts';

/** A baseline in a few words: `0:02 to 0:14`, `old.hpl, main`. */
export function baselineText({ logs }: Pick<WindowState, 'logs'>, log: LogView, baseline: Baseline): string {
  const other = baseline.log === undefined ? log : logs.find(({ key }) => key === baseline.log);
  const parts = [
    ...(baseline.log === undefined ? [] : [other === undefined ? 'a log that was closed' : shownName(other)]),
    ...(baseline.range === undefined ? [] : [timeText(baseline.range, other)]),
    ...(baseline.contexts === undefined ? [] : [contextsText(baseline.contexts)]),
    ...(baseline.threads ?? []).map(threadsText),
  ];
  return parts.length === 0 ? 'the same samples' : parts.join(', ');
}

/** The text of a chip about a comparison, and its explanation. */
export function comparedText(
  state: Pick<WindowState, 'logs'>,
  log: LogView,
  baseline: Baseline,
): { readonly text: string; readonly note: string | undefined } {
  const text = baselineText(state, log, baseline);
  switch (sideOfRest(log, baseline)) {
    case 'next':
      return {
        text: `the rest compared with ${text}`,
        note: 'Its samples are left out of what is compared with it: a difference can be told from chance only between separate samples.',
      };
    case 'base':
      return {
        text:
          baseline.range?.kind === 'between' && isWhole(baseline.range, log)
            ? 'compared with the rest'
            : `compared with the rest of ${text}`,
        note: 'The samples of the time range are left out of it: a difference can be told from chance only between separate samples.',
      };
    case undefined:
      if (isRestOfContexts(log, baseline))
        return {
          text: `compared with the rest of ${text}`,
          note: 'The samples in scope are left out of it: a difference can be told from chance only between separate samples.',
        };
      return haveSharedThreads(log.scope, baseline)
        ? { text: `compared with ${text}, a part of them`, note: SHARED_THREADS_NOTE }
        : { text: `compared with ${text}`, note: comparabilityOf(state, log, baseline)?.text };
  }
}

/** Where the samples of each side of a comparison are, in words behind a noun: `samples in the range`. */
export interface SideWords {
  readonly base: string;
  readonly next: string;
}

const OF_LOGS: SideWords = { next: 'in this log', base: 'in the other log' };
const OF_REQUESTS: SideWords = { next: 'in these requests', base: 'in the other requests' };
const OF_THREADS: SideWords = { next: 'in these threads', base: 'in the other threads' };
const OF_RANGES: SideWords = { next: 'in this range', base: 'in the other range' };
const OF_RANGE: SideWords = { next: 'in the range', base: 'outside of it' };
const OF_REST: SideWords = { next: 'outside of the range', base: 'in the range' };

/** The sides of what a log is compared with. The same object for the same words. */
function sideWords(log: LogView, baseline: Baseline): SideWords {
  if (baseline.log !== undefined) return OF_LOGS;
  if (baseline.contexts !== undefined) return OF_REQUESTS;
  if (baseline.threads !== undefined) return OF_THREADS;
  const rest = sideOfRest(log, baseline);
  return rest === 'base' ? OF_RANGE : rest === 'next' ? OF_REST : OF_RANGES;
}

/** The sides that the log in front compares; undefined where it compares nothing. */
export function comparedSides(state: WindowState): SideWords | undefined {
  const log = activeLog(state);
  return log?.baseline && sideWords(log, log.baseline);
}

/** Whether two logs can be compared; undefined where one log is compared with itself. */
export function comparabilityOf(
  { logs }: Pick<WindowState, 'logs'>,
  { status, summary }: LogView,
  baseline: Baseline,
): Comparability | undefined {
  const base = logs.find(({ key }) => key === baseline.log)?.status;
  if (base === undefined || status === undefined) return undefined;
  // Names that both sides have need not be told.
  const { threads } = summary?.compared ?? {};
  return comparability(
    [{ facts: base, threads: new Set(threads?.base) }],
    [{ facts: status, threads: new Set(threads?.next) }],
  );
}

/** A range has all samples of a log. */
function isWhole({ from, to }: Extract<TimeRange, { kind: 'between' }>, { timeline }: LogView): boolean {
  return to === undefined && (from === undefined || from === timeline?.first);
}

/** The side of a comparison of two ranges that is without the other one: see `comparedRanges`. */
function sideOfRest({ scope, timeline }: LogView, baseline: Baseline): SideWithout | undefined {
  if (!isOfRanges(baseline) || timeline === undefined) return undefined;
  const span = { first: BigInt(timeline.first), last: BigInt(timeline.first) + BigInt(timeline.last) };
  const boundsIn = (range: TimeRange | undefined): TimeBounds =>
    range === undefined ? UNBOUNDED : boundsInSpan(range, span);
  return sideWithout(boundsIn(baseline.range), boundsIn(scope.range));
}

/** The requests of the baseline are compared without those in scope: see `contextsApart`. */
function isRestOfContexts({ scope: { contexts } }: LogView, { log, contexts: base }: Baseline): boolean {
  if (log !== undefined || contexts === undefined || base === undefined) return false;
  return contextsApart(contexts, base).base.except !== undefined;
}

/** Names of both sides, for an exported comparison. */
export function comparedNames(
  state: Pick<WindowState, 'logs'>,
  log: LogView,
): { readonly base: string; readonly next: string } {
  const { baseline, scope } = log;
  const name = shownName(log);
  const details = [
    ...(scope.range === undefined ? [] : [timeText(scope.range, log)]),
    ...(scope.contexts === undefined ? [] : [contextsText(scope.contexts)]),
    ...scope.threads.map(threadsText),
  ];
  const rest = baseline && sideOfRest(log, baseline);
  if (rest === 'next' && baseline?.range !== undefined)
    details.push(`without ${timeText(baseline.range, log)}`);
  const without =
    rest === 'base' && scope.range !== undefined ? `, without ${timeText(scope.range, log)}` : '';
  const restOf = baseline !== undefined && isRestOfContexts(log, baseline) ? 'the rest of ' : '';
  const base = baseline === undefined ? '' : `${restOf}${baselineText(state, log, baseline)}${without}`;
  return {
    base: baseline?.log === undefined ? `${name} (${base})` : base,
    next: details.length === 0 ? name : `${name} (${details.join(', ')})`,
  };
}

function timeText(range: TimeRange, log: LogView | undefined): string {
  const first = log?.timeline?.first;
  return rangeText(range, first === undefined ? undefined : BigInt(first));
}
