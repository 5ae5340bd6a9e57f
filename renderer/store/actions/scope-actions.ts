import { changeActive, closeDialog, openDialog, prefer, showNotice, changeScope } from './actions.ts';
import { LEAVE_OUT_IDLE } from '../../../shared/scope/transform-list.ts';
import { EMPTY_SCOPE, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import { withKeys } from '../../../shared/scope/transforms.ts';
import { type ThreadsOfRow, withoutThreads } from '../../../shared/scope/thread-pattern.ts';
import { NO_CONDITIONS } from '../../../shared/engine/views/row-conditions.ts';
import { changeLog } from '../state/state-changes.ts';
import { withScope, withScopeRedone, withScopeUndone, withTransform } from '../state/scope-history.ts';
import type { EditedStep, ScopeStep } from '../state/window-state.ts';
import { useWindow } from '../state/window-store.ts';
import {
  type FrameGrouping,
  type SplitMethod,
  splitMethodOf,
} from '../../../shared/engine/trees/grouping.ts';
import { activeLog } from '../state/selectors.ts';

/**
 * Adds a step. One that does not say what its keys are made of gets the present grouping of frames, so that it means the
 * same in any other.
 */
export function addTransform(transform: Transform): void {
  const { frames } = useWindow.getState().preferences;
  if (transform.kind === LEAVE_OUT_IDLE.kind) prefer({ leavesOutIdle: true });
  changeScope(({ scope }) => ({ scope: withTransform(scope, withKeys(transform, frames)) }));
}

/** Opens the dialog for a step of the active log. */
export function editStep(step: Omit<EditedStep, 'log'>): void {
  const { active } = useWindow.getState();
  if (active !== undefined) openDialog({ kind: 'step', ...step, log: active });
}

/** Adds the step that the dialog is open for as it is now, or puts it in the place of the one that it was. */
export function applyStep(transform: EditedStep['transform']): void {
  const { dialog, preferences } = useWindow.getState();
  closeDialog('step');
  if (dialog?.kind !== 'step') return;
  const { log, at } = dialog;
  const put = (scope: Scope): Scope =>
    at !== undefined && at < scope.transforms.length
      ? { ...scope, transforms: scope.transforms.with(at, transform) }
      : withTransform(scope, withKeys(transform, preferences.frames));
  useWindow.setState((state) => changeLog(state, log, (each) => withScope(each, { scope: put(each.scope) })));
}

/** Whoever wants to see idle threads sees them at first in other logs, too. */
export function removeTransform(at: number): void {
  const removed = activeLog(useWindow.getState())?.scope.transforms[at];
  if (removed?.kind === LEAVE_OUT_IDLE.kind) prefer({ leavesOutIdle: false });
  changeScope(({ scope }) => ({ scope: { ...scope, transforms: scope.transforms.toSpliced(at, 1) } }));
}

/** Only samples of these threads: names, or `/…/`. */
export function selectThreads(threads: readonly string[]): void {
  changeScope(({ scope }) => ({ scope: { ...scope, threads } }));
}

export function leaveOutThreads(threads: ThreadsOfRow): void {
  changeScope(({ scope }) => ({ scope: { ...scope, threads: withoutThreads(scope.threads, threads) } }));
}

/** A step without anything that a chip shows. */
const EVERYTHING: Required<ScopeStep> = {
  scope: EMPTY_SCOPE,
  where: NO_CONDITIONS,
  split: [],
  baseline: undefined,
  hidesErrors: false,
  keepsZoom: false,
  zoom: undefined,
};

/** Shows all samples and all rows again, by method and compared with nothing. */
export function clearScope(): void {
  changeScope(EVERYTHING);
}

/** Leaves out the samples of the active log whose stack has an error, and at first in other logs, too. */
export function hideErrors(hidesErrors: boolean): void {
  prefer({ leavesOutErrors: hidesErrors });
  changeScope({ hidesErrors });
}

export const undoScope = (): void => changeActive(withScopeUndone);
export const redoScope = (): void => changeActive(withScopeRedone);

/** Keys of the grouping by method id begin with the id. */
const ID = /^\(-?\d+\) /;

/** The split methods of a log that are split in this grouping; none where it tells lines apart anyway. */
export function splitIn(split: readonly SplitMethod[], frames: FrameGrouping): readonly SplitMethod[] {
  if (frames !== 'fqmn' && frames !== 'method-id') return [];
  return split.filter(({ key }) => ID.test(key) === (frames === 'method-id'));
}

/** The split method to which a row or a frame of the active log belongs. */
export function activeSplit(label: string): SplitMethod | undefined {
  const state = useWindow.getState();
  return splitMethodOf(label, splitIn(activeLog(state)?.split ?? [], state.preferences.frames));
}

/** Opens the rows of a method into its lines or BCIs; the label may be that of one of its lines. */
export function splitMethod(label: string, by: SplitMethod['by']): void {
  const key = activeSplit(label)?.key ?? label;
  changeScope(({ split }) => ({ split: [...split.filter((each) => each.key !== key), { key, by }] }));
}

/** Undoes `splitMethod` of these methods. */
export function joinLines(...keys: readonly string[]): void {
  changeScope(({ split }) => ({ split: split.filter(({ key }) => !keys.includes(key)) }));
}

/** Opens the rows of a method into its lines, or joins them again. */
export function toggleLines(label: string): void {
  const { frames } = useWindow.getState().preferences;
  if (frames === 'line' || frames === 'bci') {
    showNotice('info', `All methods are grouped by ${frames === 'line' ? 'line' : 'BCI'} already.`);
    return;
  }
  const known = activeSplit(label);
  if (known === undefined) splitMethod(label, 'line');
  else joinLines(known.key);
}
