import type { LogStatus } from '../../../shared/protocol/messages.ts';
import { type Baseline, isEmptyScope, type Scope } from '../../../shared/scope/scope.ts';
import { type Choice, sampleTypeChoice } from '../../../shared/facts/choice.ts';
import { hasIdleThreads } from '../../../shared/facts/sample-kind.ts';
import { LEAVE_OUT_IDLE } from '../../../shared/scope/transform-list.ts';
import type { Preferences } from '../state/preferences.ts';
import { withSteps } from '../state/scope-history.ts';
import type { LogKey, LogView } from '../state/window-state.ts';

/**
 * A log that said when its samples were taken no longer does: one without times was merged with it, or a trace turned out
 * to have wrong ones. In another epoch of the file the times may only not be there yet.
 */
export function hasLostTimes(before: LogStatus | undefined, now: LogStatus): boolean {
  return before?.hasSampleTimes === true && !now.hasSampleTimes && before.epoch === now.epoch;
}

/**
 * A log without ranges of a log whose times are lost, in the scopes that can be undone, too: samples would be missing from
 * a range that nobody sees.
 */
export function withoutRangesOf(log: LogView, lost: LogKey): LogView {
  const { key } = log;
  const left = withSteps(log, (step) => {
    const { scope, baseline } = step;
    const hasLost = key === lost && scope.range !== undefined;
    return {
      ...step,
      scope: hasLost ? { ...scope, range: undefined } : scope,
      baseline: baseline && baselineOfAnyTime(baseline, key, lost),
    };
  });
  const isSame = left.scope === log.scope && left.baseline === log.baseline;
  return isSame ? left : { ...left, beforeDrag: undefined };
}

/** A range of the log itself is all that its baseline differs by; another log can be compared with as a whole. */
function baselineOfAnyTime(baseline: Baseline, own: LogKey, lost: LogKey): Baseline | undefined {
  if (baseline.range === undefined || (baseline.log ?? own) !== lost) return baseline;
  const rest = { ...baseline, range: undefined };
  return rest.log === undefined && rest.threads === undefined ? undefined : rest;
}

/** Rates over less than this are noise: a host sends statuses several times a second. */
const RATE_WINDOW_MS = 1_500;

/** The log with a new status, and how fast it grows. */
export function withStatus(log: LogView, news: LogStatus, now: number, preferences: Preferences): LogView {
  const status = keepSame(log.status, withKnownChoices(log, news));
  const { pace, status: before } = log;
  const isRead = before?.state === 'reading' && status.state !== 'reading';
  const upTo = isRead ? { epoch: status.epoch, nodes: status.nodes } : log.readUpTo;
  // It is the length that tells: the last sample of a file that rests may be counted late.
  const isLonger =
    before !== undefined &&
    before.state !== 'reading' &&
    before.epoch === status.epoch &&
    status.fileBytes > before.fileBytes;
  const updated = {
    ...log,
    scope: firstScope(log, status, preferences),
    // The choice of the user is that of a first view: once the file is recognised, each log has its own.
    hidesErrors: log.hidesErrors && (before?.format !== undefined || preferences.leavesOutErrors),
    status,
    hasGrown: log.hasGrown || isLonger,
    // Samples that the failed reader read and did not send will not arrive.
    readUpTo: status.state === 'failed' || status.state === 'full' ? undefined : upTo,
  };
  const here = { at: now, samples: status.samples, epoch: status.epoch };
  // The state of a growing log changes to 'reading' now and then. In another epoch what was there is read again.
  const grows = status.state === 'live' || (status.state === 'reading' && pace?.epoch === status.epoch);
  if (!grows) return { ...updated, rate: undefined, pace: undefined };
  if (pace?.epoch !== status.epoch) return { ...updated, rate: undefined, pace: here };
  const elapsed = now - pace.at;
  if (elapsed < RATE_WINDOW_MS) return updated;
  const rate = ((status.samples - pace.samples) * 1000) / elapsed;
  return { ...updated, rate, pace: here };
}

/**
 * A log that is read again offers what it did until its sample types are found in it. Otherwise the control that chooses them
 * would go while it is used, and take the focus with it.
 */
function withKnownChoices({ status: before, merge }: LogView, news: LogStatus): LogStatus {
  const isAgain = news.state === 'reading' && (news.format === undefined || merge !== undefined);
  if (before === undefined || !isAgain || sampleTypeChoice(news.choices) !== undefined) return news;
  const isMissing = ({ id }: Choice): boolean => news.choices.every((each) => each.id !== id);
  return { ...news, choices: [...news.choices, ...before.choices.filter(isMissing)] };
}

/**
 * The scope of a log whose samples are known to be of a kind, or become those of another kind: without idle threads where
 * these hide what others do. A scope that was restored or linked stays as it is.
 */
function firstScope(
  { scope, status: before }: LogView,
  status: LogStatus,
  { leavesOutIdle }: Preferences,
): Scope {
  if (status.format === undefined) return scope;
  const isFirst = before?.format === undefined;
  const had = !isFirst && hasIdleThreads(before);
  const has = hasIdleThreads(status);
  if (had === has || (isFirst && !isEmptyScope(scope))) return scope;
  const typeOf = (of: LogStatus): string => sampleTypeChoice(of.choices)?.chosen ?? '';
  // Waits that are met later, in a file that is still read, or grows: what somebody has chosen meanwhile stays.
  if (!isFirst && typeOf(before) === typeOf(status) && (had || !isEmptyScope(scope))) return scope;
  const transforms = scope.transforms.filter(({ kind }) => kind !== LEAVE_OUT_IDLE.kind);
  return { ...scope, transforms: has && leavesOutIdle ? [...transforms, LEAVE_OUT_IDLE] : transforms };
}

/** The new status with the old objects where they are equal, so that components need not render again. */
function keepSame(before: LogStatus | undefined, status: LogStatus): LogStatus {
  if (before === undefined) return status;
  const fields = (Object.keys(status) as (keyof LogStatus)[]).map((field) => {
    const isSame = JSON.stringify(before[field]) === JSON.stringify(status[field]);
    return [field, isSame ? before[field] : status[field]] as const;
  });
  return Object.fromEntries(fields) as unknown as LogStatus;
}
