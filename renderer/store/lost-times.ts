import type { LogStatus } from '../../shared/protocol/messages.ts';
import type { Baseline, Scope } from '../../shared/scope/scope.ts';
import { changingSteps, stepOf } from './scope-history.ts';
import type { LogKey, LogView, ScopeStep } from './window-state.ts';

/**
 * A log that said when its samples were taken no longer does: one without times was merged with it, or a trace turned out
 * to have wrong ones. In another epoch of the file the times may only not be there yet.
 */
export function hasLostTimes(before: LogStatus | undefined, now: LogStatus): boolean {
  return before?.hasSampleTimes === true && !now.hasSampleTimes && before.epoch === now.epoch;
}

/**
 * A log without ranges of a log whose times are lost, in the scopes that can be undone, too: samples would be missing from
 * a range that nobody sees. The same log where there is none.
 */
export function withoutRangesOf(log: LogView, lost: LogKey): LogView {
  const step = withoutRange(log, log.key, lost);
  const [back, forward] = [log.scopesBack, log.scopesForward].map((steps) =>
    steps.map((each) => withoutRange(each, log.key, lost)),
  );
  const isSame =
    step === log &&
    back.every((each, at) => each === log.scopesBack[at]) &&
    forward.every((each, at) => each === log.scopesForward[at]);
  const now = { ...stepOf(log), scope: step.scope, baseline: step.baseline };
  return isSame
    ? log
    : {
        ...log,
        scope: step.scope,
        baseline: step.baseline,
        scopeBeforeDrag: undefined,
        baselineBeforeDrag: undefined,
        scopesBack: changingSteps(back, now),
        scopesForward: changingSteps(forward, now),
      };
}

function withoutRange(step: ScopeStep, own: LogKey, lost: LogKey): ScopeStep {
  const scope = own === lost ? scopeOfAnyTime(step.scope) : step.scope;
  const baseline = step.baseline && baselineOfAnyTime(step.baseline, own, lost);
  return scope === step.scope && baseline === step.baseline ? step : { ...step, scope, baseline };
}

function scopeOfAnyTime(scope: Scope): Scope {
  return scope.range === undefined ? scope : { ...scope, range: undefined };
}

/** A range of the log itself is all that its baseline differs by; another log can be compared with as a whole. */
function baselineOfAnyTime(baseline: Baseline, own: LogKey, lost: LogKey): Baseline | undefined {
  if (baseline.range === undefined || (baseline.log ?? own) !== lost) return baseline;
  const rest = { ...baseline, range: undefined };
  return rest.log === undefined && rest.threads === undefined ? undefined : rest;
}
