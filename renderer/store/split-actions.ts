import type { FrameGrouping, SplitMethod } from '../../shared/trees/grouping.ts';
import { splitMethodOf } from '../../shared/trees/split-labels.ts';
import { showNotice } from './actions.ts';
import { changeLog } from './receive.ts';
import { withScope } from './scope-history.ts';
import { activeLog } from './selectors.ts';
import type { LogView } from './window-state.ts';
import { useWindow } from './window-store.ts';

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
  changeSplit((split) => [...split.filter((each) => each.key !== key), { key, by }]);
}

/** Undoes `splitMethod` of these methods. */
export function joinLines(...keys: readonly string[]): void {
  changeSplit((split) => split.filter(({ key }) => !keys.includes(key)));
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

function changeSplit(change: (split: readonly SplitMethod[]) => readonly SplitMethod[]): void {
  const { active } = useWindow.getState();
  if (active !== undefined)
    useWindow.setState((state) => changeLog(state, active, (log) => withSplit(log, change(log.split))));
}

/** The log with these methods split. */
export function withSplit(log: LogView, split: readonly SplitMethod[]): LogView {
  return withNamesOfJoined(withScope(log, { split }), log.split);
}

/** A method that was split before and is joined again is named by itself on the path of callers. */
export function withNamesOfJoined(log: LogView, before: readonly SplitMethod[]): LogView {
  const joined = before.filter(({ key }) => !log.split.some((each) => each.key === key));
  if (joined.length === 0) return log;
  const detail = log.detail.map((method) => {
    const key = splitMethodOf(method.label, joined)?.key;
    return key === undefined ? method : { ...method, label: key };
  });
  return { ...log, detail };
}
