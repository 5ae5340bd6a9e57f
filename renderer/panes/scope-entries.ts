import { attributeOf } from '../../shared/engine/trees/grouping.ts';
import type { RowKind } from '../../shared/engine/trees/keys.ts';
import { onlyThreads, threadsOfRow } from '../../shared/scope/thread-pattern.ts';
import { requestEntries } from './operations/request-entries.ts';
import { elideMiddle, shownLabel } from '../../shared/text/format-frame.ts';
import type { TransformEntry } from '../../shared/scope/transform-list.ts';
import { transformEntries } from '../../shared/scope/transforms.ts';
import {
  activeSplit,
  addTransform,
  editStep,
  joinLines,
  leaveOutThreads,
  selectThreads,
  splitMethod,
} from '../store/actions/scope-actions.ts';
import { activeLog, shownThreads } from '../store/state/selectors.ts';
import { useWindow } from '../store/state/window-store.ts';
import { shownKey } from '../widgets/key-name.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';
import { changeScope } from '../store/actions/actions.ts';

/** A row or a frame to which a menu or a key refers. */
export interface ScopeTarget {
  readonly kind: RowKind | 'block';
  readonly label: string;
}

/** The effect of a key on the scope for a row or a frame; undefined where it has none. */
export function scopeKey(key: string, row: ScopeTarget): (() => void) | undefined {
  const { kind, label } = scopeTarget(row);
  const entries = [...entriesOf('top', kind, label), ...entriesOf('further', kind, label)];
  const entry = entries.find((each) => each.key === key);
  return entry && (() => runEntry(entry));
}

/** The entries with which the menu of a row or a frame narrows or changes the scope of all panes. */
export function scopeEntries(target: ScopeTarget): readonly MenuEntry[] {
  const { kind, label } = scopeTarget(target);
  const further = [
    ...(kind === 'frame' ? splitEntries(label) : []),
    ...entriesOf('further', kind, label).map(menuEntry),
  ];
  return [
    ...(kind === 'thread' ? threadEntries(label) : []),
    ...entriesOf('top', kind, label).map(menuEntry),
    { text: 'Transform', entries: further },
  ];
}

/** Samples without a stack can be kept or left out; nothing begins there and nothing is called. */
function entriesOf(
  part: Parameters<typeof transformEntries>[0],
  kind: ScopeTarget['kind'],
  label: string,
): readonly TransformEntry[] {
  const entries = transformEntries(part, isFrame(kind) ? label : undefined);
  const isOfFrame = ({ transform }: TransformEntry): boolean =>
    transform.kind === 'focus' || transform.kind === 'merge';
  return kind === 'error' ? entries.filter((entry) => !isOfFrame(entry)) : entries;
}

function isFrame(kind: ScopeTarget['kind']): boolean {
  return kind === 'frame' || kind === 'error';
}

function menuEntry(entry: TransformEntry): MenuEntry {
  const { text, key } = entry;
  return { text, ...(key === undefined ? {} : { hint: shownKey(key) }), run: () => runEntry(entry) };
}

function runEntry({ transform, isEdited = false }: TransformEntry): void {
  if (isEdited) editStep({ transform, at: undefined });
  else addTransform(transform);
}

/** Transforms name a method, whichever of its lines the row is. */
function scopeTarget({ kind, label }: ScopeTarget): ScopeTarget {
  return { kind, label: activeSplit(label)?.key ?? label };
}

function splitEntries(method: string): readonly MenuEntry[] {
  const { frames } = useWindow.getState().preferences;
  const by = activeSplit(method)?.by;
  const disabled = frames === 'line' || frames === 'bci';
  const hint = { hint: 'Alt L' };
  const split = (into: 'line' | 'bci'): MenuEntry => ({
    text: `Split into ${into === 'line' ? 'lines' : 'BCIs'}`,
    ...(into === 'line' && by === undefined ? hint : {}),
    disabled,
    run: () => splitMethod(method, into),
  });
  return [
    ...(by === 'line' ? [] : [split('line')]),
    ...(by === 'bci' ? [] : [split('bci')]),
    ...(by === undefined
      ? []
      : [{ text: `Join lines of ${shownLabel(method)}`, ...hint, run: () => joinLines(method) }]),
    'separator',
  ];
}

function threadEntries(label: string): readonly MenuEntry[] {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log === undefined) return [];
  const grouping = shownThreads(log, state.preferences.threads);
  const attribute = attributeOf(grouping);
  if (attribute !== undefined) return requestEntries(attribute, label);
  const threads = threadsOfRow(label, grouping);
  const name = `${threads.of === 'group' ? 'log' : threads.of} ${elideMiddle(label, MOST_CHARACTERS)}`;
  return [
    { text: `Only ${name}`, run: () => selectThreads(onlyThreads(threads)) },
    { text: `All but ${name}`, run: () => leaveOutThreads(threads) },
    {
      text: `Use ${name} as baseline`,
      run: () => changeScope({ baseline: { threads: onlyThreads(threads) } }),
    },
  ];
}

const MOST_CHARACTERS = 32;
