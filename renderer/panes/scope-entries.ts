import type { RowKind } from '../../shared/trees/keys.ts';
import type { Transform } from '../../shared/scope/scope.ts';
import { onlyThreads, threadsOfRow } from '../../shared/scope/thread-pattern.ts';
import { splitFrameLabel } from '../../shared/text/format-frame.ts';
import { compareWith } from '../store/compare-actions.ts';
import { addTransform, leaveOutThreads, selectThreads } from '../store/scope-actions.ts';
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
    case 'F':
      return { kind: 'focus', key: label };
    case 'M':
      return { kind: 'merge', key: label };
    case 'Delete':
      return { kind: 'drop', key: label };
    case 'C': {
      const prefix = packageOf(label);
      return prefix === '' ? undefined : { kind: 'collapse', prefix };
    }
    default:
      return undefined;
  }
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
    entry('Only samples with it', { kind: 'keep', key: label }),
    entry('Drop samples with it', { kind: 'drop', key: label }, 'Del'),
    entry('Focus on it', { kind: 'focus', key: label }, 'Shift F'),
    entry('Merge it into its callers', { kind: 'merge', key: label }, 'Shift M'),
    'separator',
    ...(name === '' ? [] : [entry(`Collapse ${name}*`, { kind: 'collapse', prefix: name }, 'Shift C')]),
    ...(className === '' ? [] : [entry(`Collapse ${className}*`, { kind: 'collapse', prefix: className })]),
    ...(name === ''
      ? []
      : [entry(`Only ${ownPackage(name)}*`, { kind: 'only', prefixes: [ownPackage(name)] })]),
    entry('Collapse recursion', { kind: 'collapse-recursion', of: 'all' }, 'R'),
    entry('Stable names for lambdas and proxies', {
      kind: 'fold',
      names: ['lambda', 'proxy', 'reflection', 'generated'],
    }),
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

/** `java.util.regex.` of `java.util.regex.Pattern.match`, with the id in front where frames are grouped by it. */
function packageOf(label: string): string {
  const { id, package: name } = splitFrameLabel(label);
  return name === '' ? '' : `${id}${name}`;
}

/** `java.util.regex.Pattern`, without its inner classes and its method: these begin with it, too. */
function classOf(label: string): string {
  const { id, package: prefix, name } = splitFrameLabel(label);
  const end = name.search(/[.$]/);
  return end <= 0 ? '' : `${id}${prefix}${name.slice(0, end)}`;
}

/** The first two parts of a package: `com.acme.` of `com.acme.shop.cart.`. */
function ownPackage(name: string): string {
  return /^(?:[^.]+\.){1,2}/.exec(name)?.[0] ?? name;
}
