import type { RowKind } from '../../shared/engine/trees/keys.ts';
import { MACHINE_NAMES, type Transform } from '../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow } from '../../shared/scope/thread-pattern.ts';
import { splitFrameLabel } from '../../shared/text/format-frame.ts';
import { compareWith } from '../store/compare-actions.ts';
import {
  activeSplit,
  addTransform,
  editStep,
  joinLines,
  leaveOutThreads,
  selectThreads,
  splitMethod,
} from '../store/scope-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { shownKey } from '../widgets/key-name.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';

/** A row or a frame to which a menu or a key refers. */
export interface ScopeTarget {
  readonly kind: RowKind | 'block';
  readonly label: string;
}

/** What an entry of a menu does to the scope. */
interface ScopeEntry {
  readonly text: string;
  /** By `keyName`; undefined: it has none. */
  readonly key?: string;
  readonly run: () => void;
}

/** What a key does to the scope for a row or a frame; undefined where it does nothing. */
export function scopeKey(key: string, row: ScopeTarget): (() => void) | undefined {
  const { kind, label } = scopeTarget(row);
  const entries = isFrame(kind) ? [...sampleEntries(label), ...stackEntries(label)] : FREE_ENTRIES;
  return entries.find((entry) => entry.key === key)?.run;
}

/** What a menu offers for a row or a frame to narrow or to change what all panes look at. */
export function scopeEntries(target: ScopeTarget): readonly MenuEntry[] {
  const { kind, label } = scopeTarget(target);
  if (kind === 'thread') return [...threadEntries(label), 'separator', ...FREE_ENTRIES.map(menuEntry)];
  if (!isFrame(kind)) return FREE_ENTRIES.map(menuEntry);
  return [
    ...(kind === 'frame' ? splitEntries(label) : []),
    ...sampleEntries(label).map(menuEntry),
    'separator',
    ...stackEntries(label).map(menuEntry),
  ];
}

function isFrame(kind: ScopeTarget['kind']): boolean {
  return kind === 'frame' || kind === 'error';
}

function menuEntry({ text, key, run }: ScopeEntry): MenuEntry {
  return { text, ...(key === undefined ? {} : { hint: shownKey(key) }), run };
}

function transformEntry(text: string, transform: Transform, key?: string): ScopeEntry {
  return { text, ...(key === undefined ? {} : { key }), run: () => addTransform(transform) };
}

// The letters are those of the Firefox Profiler where these agree.

/** Which samples of a frame are in scope. */
function sampleEntries(label: string): readonly ScopeEntry[] {
  return [
    transformEntry('Only samples with it', { kind: 'keep', key: label }, 'Alt+Shift+k'),
    transformEntry('Drop samples with it', { kind: 'drop', key: label }, 'Delete'),
    transformEntry('Focus on it', { kind: 'focus', key: label }, 'Alt+Shift+f'),
    transformEntry('Merge it into its callers', { kind: 'merge', key: label }, 'Alt+Shift+m'),
  ];
}

/** What stacks look like, by the package and the class of a frame. */
function stackEntries(label: string): readonly ScopeEntry[] {
  const name = packageOf(label);
  const own = ownPackage(name);
  const className = classOf(label);
  return [
    ...(name === '' ? [] : [transformEntry(`Collapse ${name}*`, collapse(name), 'Alt+Shift+c')]),
    ...(className === ''
      ? []
      : [
          transformEntry(`Collapse class ${className}`, { kind: 'collapse-class', className }, 'Alt+Shift+x'),
        ]),
    ...(name === '' ? [] : [transformEntry(`Only ${own}*`, only(own))]),
    onlyEntry(ownPackage(name) || className),
    ...ENTRIES_OF_ALL,
  ];
}

/** A dialog for the prefixes of what is kept, with one that fits the frame. */
function onlyEntry(prefix: string): ScopeEntry {
  const transform = only(...(prefix === '' ? [] : [prefix]));
  return { text: 'Only\u2026', key: 'Alt+Shift+o', run: () => editStep({ transform, at: undefined }) };
}

const STABLE_NAMES: Extract<Transform, { kind: 'fold' }> = { kind: 'fold', names: MACHINE_NAMES };

/** What changes all stacks, whatever the frame. */
const ENTRIES_OF_ALL: readonly ScopeEntry[] = [
  transformEntry('Collapse recursion', { kind: 'collapse-recursion', of: 'all' }, 'Alt+r'),
  transformEntry('Collapse direct recursion', { kind: 'collapse-recursion', of: 'direct' }, 'Alt+Shift+r'),
  transformEntry('Stable names for lambdas and proxies', STABLE_NAMES, 'Alt+Shift+s'),
  { text: 'Stable names\u2026', run: () => editStep({ transform: STABLE_NAMES, at: undefined }) },
];

/** What needs no frame: for threads, and for all of them together. */
const FREE_ENTRIES: readonly ScopeEntry[] = [onlyEntry(''), ...ENTRIES_OF_ALL];

/** Transforms name a method, whichever of its lines the row is. */
export function scopeTarget({ kind, label }: ScopeTarget): ScopeTarget {
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
    ...(by === undefined ? [] : [{ text: 'Join its lines', ...hint, run: () => joinLines(method) }]),
    'separator',
  ];
}

function threadEntries(label: string): readonly MenuEntry[] {
  const threads = threadsOfRow(label, useWindow.getState().preferences.threads);
  const what = threads.of === 'group' ? 'log' : threads.of;
  return [
    { text: `Only this ${what}`, run: () => selectThreads(onlyThreads(threads)) },
    { text: `All but this ${what}`, run: () => leaveOutThreads(threads) },
    { text: `Use this ${what} as baseline`, run: () => compareWith({ threads: onlyThreads(threads) }) },
  ];
}

/** Packages are those of names: other keys have an id in front of them. */
function collapse(prefix: string): Transform {
  return { kind: 'collapse', prefix, keys: 'fqmn' };
}

function only(...prefixes: readonly string[]): Extract<Transform, { kind: 'only' }> {
  return { kind: 'only', prefixes, keys: 'fqmn' };
}

/** `java.util.regex.` of `java.util.regex.Pattern.match`. */
function packageOf(label: string): string {
  return splitFrameLabel(label).package;
}

/** `java.util.regex.Pattern`, without its inner classes and its method. */
function classOf(label: string): string {
  const { package: prefix, name } = splitFrameLabel(label);
  const end = name.search(/[.$]/);
  return end <= 0 ? '' : `${prefix}${name.slice(0, end)}`;
}

/** The first two parts of a package: `com.acme.` of `com.acme.shop.cart.`. */
function ownPackage(name: string): string {
  return /^(?:[^.]+\.){1,2}/.exec(name)?.[0] ?? name;
}
