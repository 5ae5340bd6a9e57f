import type { RowKind } from '../../shared/trees/keys.ts';
import { MACHINE_NAMES, type Transform } from '../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow } from '../../shared/scope/thread-pattern.ts';
import { splitFrameLabel } from '../../shared/text/format-frame.ts';
import { compareWith } from '../store/compare-actions.ts';
import { addTransform, editStep, leaveOutThreads, selectThreads } from '../store/scope-actions.ts';
import { activeSplit, joinLines, splitMethod } from '../store/split-actions.ts';
import { useWindow } from '../store/window-store.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';

/** A row or a frame to which a menu or a key refers. */
export interface ScopeTarget {
  readonly kind: RowKind | 'block';
  readonly label: string;
}

/**
 * The transform of a key for a row; undefined where the key has none. Mostly with Shift, because plain letters belong to
 * the window. As in the Firefox Profiler where these agree.
 */
export function transformForKey(key: string, { kind, label }: ScopeTarget): Transform | undefined {
  if (key === 'r') return { kind: 'collapse-recursion', of: 'all' };
  if (key === 'R') return { kind: 'collapse-recursion', of: 'direct' };
  if (kind !== 'frame' && kind !== 'error') return undefined;
  switch (key) {
    case 'K':
      return { kind: 'keep', key: label };
    case 'F':
      return { kind: 'focus', key: label };
    case 'M':
      return { kind: 'merge', key: label };
    case 'Delete':
      return { kind: 'drop', key: label };
    case 'C': {
      const prefix = packageOf(label);
      return prefix === '' ? undefined : collapse(prefix);
    }
    case 'X': {
      const className = classOf(label);
      return className === '' ? undefined : { kind: 'collapse-class', className };
    }
    case 'S':
      return STABLE_NAMES;
    default:
      return undefined;
  }
}

/** What a key does to the scope for a row or a frame; undefined where it does nothing. */
export function scopeKey(key: string, row: ScopeTarget): (() => void) | undefined {
  const target = scopeTarget(row);
  const isFrame = target.kind === 'frame' || target.kind === 'error';
  if (key === 'O' && isFrame) return () => editOnly(target.label);
  const transform = transformForKey(key, target);
  return transform && (() => addTransform(transform));
}

const STABLE_NAMES: Extract<Transform, { kind: 'fold' }> = { kind: 'fold', names: MACHINE_NAMES };

/** A dialog for the prefixes, with one that fits the frame. */
function editOnly(label: string): void {
  const prefix = ownPackage(packageOf(label)) || classOf(label);
  editStep({ transform: only(...(prefix === '' ? [] : [prefix])), at: undefined });
}

/** What a menu offers for a row or a frame to narrow or to change what all panes look at. */
export function scopeEntries(target: ScopeTarget): readonly MenuEntry[] {
  const { kind, label } = scopeTarget(target);
  if (kind === 'thread') return threadEntries(label);
  if (kind !== 'frame' && kind !== 'error') return [];
  const name = packageOf(label);
  const className = classOf(label);
  const entry = (text: string, transform: Transform, hint?: string): MenuEntry => ({
    text,
    ...(hint === undefined ? {} : { hint }),
    run: () => addTransform(transform),
  });
  return [
    ...(kind === 'frame' ? splitEntries(label) : []),
    entry('Only samples with it', { kind: 'keep', key: label }, 'Shift K'),
    entry('Drop samples with it', { kind: 'drop', key: label }, 'Del'),
    entry('Focus on it', { kind: 'focus', key: label }, 'Shift F'),
    entry('Merge it into its callers', { kind: 'merge', key: label }, 'Shift M'),
    'separator',
    ...(name === '' ? [] : [entry(`Collapse ${name}*`, collapse(name), 'Shift C')]),
    ...(className === ''
      ? []
      : [entry(`Collapse class ${className}`, { kind: 'collapse-class', className }, 'Shift X')]),
    ...(name === '' ? [] : [entry(`Only ${ownPackage(name)}*`, only(ownPackage(name)))]),
    { text: 'Only\u2026', hint: 'Shift O', run: () => editOnly(label) },
    entry('Collapse recursion', { kind: 'collapse-recursion', of: 'all' }, 'R'),
    entry('Collapse direct recursion', { kind: 'collapse-recursion', of: 'direct' }, 'Shift R'),
    entry('Stable names for lambdas and proxies', STABLE_NAMES, 'Shift S'),
    { text: 'Stable names\u2026', run: () => editStep({ transform: STABLE_NAMES, at: undefined }) },
  ];
}

/** Transforms name a method, whichever of its lines the row is. */
export function scopeTarget({ kind, label }: ScopeTarget): ScopeTarget {
  return { kind, label: activeSplit(label)?.key ?? label };
}

function splitEntries(method: string): readonly MenuEntry[] {
  const { frames } = useWindow.getState().preferences;
  const by = activeSplit(method)?.by;
  const disabled = frames === 'line' || frames === 'bci';
  const hint = { hint: 'L' };
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
