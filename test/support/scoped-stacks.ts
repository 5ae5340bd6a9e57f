import {
  AWAITING_METHODS,
  isOneOf,
  LOCKING_METHODS,
  WAITING_METHODS,
} from '../../shared/text/waiting-methods.ts';
import { foldedNames } from '../../shared/scope/scope-frames.ts';
import { type MachineName, type Scope, type Transform } from '../../shared/scope/scope.ts';
import { keysOfTransform } from '../../shared/scope/transforms.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { framesOf, type Model, type ModelFrame, modelKey } from './reference-model.ts';

/** A frame by its key in each grouping that is needed. */
type Cell = ReadonlyMap<FrameGrouping, string>;

/** A sample as its frames, root first. */
interface KeyedSample {
  readonly thread: string;
  readonly cells: readonly Cell[];
  readonly ns: bigint;
  readonly count: number;
}

/** What a scope leaves of a log: stack -> `samples ns`, and how many samples are outside. */
export interface ScopedStacks {
  readonly stacks: ReadonlyMap<string, string>;
  readonly outside: number;
}

/**
 * A scope applied to one sample after the other, as lists of keys: a second implementation, from the definitions in the
 * specification. `threadName`: of a thread's id; `threadKey`: what threads are grouped by.
 */
export function scopedStacks(
  model: Model,
  scope: Scope,
  grouping: FrameGrouping,
  threadName: (id: bigint) => string,
  threadKey = threadName,
): ScopedStacks {
  const sums = new Map<string, [samples: number, ns: bigint]>();
  const groupings = new Set([grouping]);
  for (const each of scope.transforms) groupings.add(keysOfTransform(each, grouping) ?? grouping);
  const folded = new Map(
    Array.from(groupings, (each) => [each, foldedKeysOfTransforms(model, scope.transforms, each)]),
  );
  const cellOf = new Map<ModelFrame, Cell>();
  for (const frame of framesOf(model))
    cellOf.set(frame, new Map(Array.from(groupings, (each) => [each, modelKey(model, frame, each)])));
  let outside = 0;
  for (const { thread, stack, ns, count = 1 } of model.samples) {
    let sample: KeyedSample | undefined = {
      thread: threadKey(thread),
      cells: stack.map((frame) => cellOf.get(frame)!),
      ns,
      count,
    };
    if (!isSelected(scope, threadName(thread))) sample = undefined;
    for (const [at, transform] of scope.transforms.entries())
      sample =
        sample &&
        transformed(sample, transform, keysOfTransform(transform, grouping) ?? grouping, (each, key) =>
          folded.get(each)?.[at].get(key),
        );
    if (sample === undefined) {
      outside += count;
      continue;
    }
    const path = stackText(
      sample.thread,
      sample.cells.map((cell) => keyOf(cell, grouping)),
    );
    const sum = sums.get(path) ?? [0, 0n];
    sums.set(path, [sum[0] + count, sum[1] + ns]);
  }
  return {
    stacks: new Map(Array.from(sums, ([path, [samples, ns]]) => [path, `${samples} ${ns}`])),
    outside,
  };
}

/** Whether the scope has the samples of a thread of this name. */
export function isSelected({ threads }: Scope, name: string): boolean {
  const names = (entry: string): boolean => {
    const source = /^\/(.+)\/$/.exec(entry)?.[1];
    return source === undefined ? entry === name : new RegExp(source, 'u').test(name);
  };
  return threads.length === 0 || threads.some(names);
}

/** For each transform what it folds: keys before it -> keys after it. What one has folded, a later one may fold again. */
export function foldedKeysOfTransforms(
  model: Model,
  transforms: readonly Transform[],
  grouping: FrameGrouping,
): readonly ReadonlyMap<string, string>[] {
  let { methods } = model;
  return transforms.map((transform) => {
    if (transform.kind !== 'fold') return new Map<string, string>();
    const before = { ...model, methods };
    methods = new Map(Array.from(methods, ([id, method]) => [id, foldedNames(method, transform.names)]));
    return foldedKeysOf(before, grouping, transform.names);
  });
}

/** Key of a frame -> its key with folded names, where it is another one. How names are folded has tests of its own. */
export function foldedKeysOf(
  model: Model,
  grouping: FrameGrouping,
  names: readonly MachineName[],
): ReadonlyMap<string, string> {
  const methods = new Map(Array.from(model.methods, ([id, method]) => [id, foldedNames(method, names)]));
  const keys = new Map<string, string>();
  for (const frame of framesOf(model))
    keys.set(modelKey(model, frame, grouping), modelKey({ ...model, methods }, frame, grouping));
  return keys;
}

/** Keys may contain any character, so a path is JSON. */
export function stackText(thread: string, keys: readonly string[]): string {
  return JSON.stringify([thread, ...keys]);
}

/** Whether a thread with these methods on its stack waits, but not for a lock. */
export function isIdle(keys: readonly string[]): boolean {
  const has = (texts: readonly string[]): boolean => keys.some(isOneOf(texts));
  return has(WAITING_METHODS) && (!has(LOCKING_METHODS) || has(AWAITING_METHODS));
}

/** `folded`: a key with folded names, where it is another one. */
function transformed(
  sample: KeyedSample,
  transform: Transform,
  grouping: FrameGrouping,
  folded: (grouping: FrameGrouping, key: string) => string | undefined,
): KeyedSample | undefined {
  const { cells } = sample;
  const keys = cells.map((cell) => keyOf(cell, grouping));
  switch (transform.kind) {
    case 'keep':
      return keys.includes(transform.key) ? sample : undefined;
    case 'drop':
      return keys.includes(transform.key) ? undefined : sample;
    case 'leave-out':
      return isIdle(cells.map((cell) => keyOf(cell, 'fqmn'))) ? undefined : sample;
    case 'focus': {
      const at = keys.indexOf(transform.key);
      return at < 0 ? undefined : { ...sample, cells: cells.slice(at) };
    }
    case 'merge':
      return { ...sample, cells: cells.filter((_, at) => keys[at] !== transform.key) };
    case 'only':
      return {
        ...sample,
        cells: cells.filter((_, at) => transform.prefixes.some((each) => keys[at].startsWith(each))),
      };
    case 'collapse':
    case 'collapse-class': {
      const isCollapsed = collapsedKeys(transform);
      const label = transform.kind === 'collapse' ? `${transform.prefix}*` : `${transform.className}.*`;
      const belongs = (at: number): boolean => isCollapsed(keys[at]);
      return {
        ...sample,
        cells: cells.flatMap((cell, at) => {
          if (!belongs(at)) return [cell];
          const made = Array.from(cell.keys(), (each) => [each, madeKey(label, each)] as const);
          return at > 0 && belongs(at - 1) ? [] : [new Map(made)];
        }),
      };
    }
    case 'collapse-recursion':
      return {
        ...sample,
        cells:
          transform.of === 'direct'
            ? cells.filter((_, at) => keys[at] !== keys[at + 1])
            : jumped(cells, keys),
      };
    case 'fold':
      return {
        ...sample,
        cells: cells.map(
          (cell) => new Map(Array.from(cell, ([each, key]) => [each, folded(each, key) ?? key])),
        ),
      };
  }
}

/** The keys that a transform collapses. */
export function collapsedKeys(
  transform: Extract<Transform, { kind: 'collapse' | 'collapse-class' }>,
): (key: string) => boolean {
  if (transform.kind === 'collapse') return (key) => key.startsWith(transform.prefix);
  const { className } = transform;
  return (key) => key === className || key.startsWith(`${className}.`) || key.startsWith(`${className}$`);
}

function keyOf(cell: Cell, grouping: FrameGrouping): string {
  const key = cell.get(grouping);
  if (key === undefined) throw new Error(`no key by ${grouping}`);
  return key;
}

function jumped(cells: readonly Cell[], keys: readonly string[]): Cell[] {
  const left: Cell[] = [];
  for (let at = 0; at < cells.length; at++) {
    at = keys.lastIndexOf(keys[at]);
    left.push(cells[at]);
  }
  return left;
}

/** A frame that a transform makes has neither line nor BCI. */
export function madeKey(label: string, grouping: FrameGrouping): string {
  if (grouping === 'line') return `${label}:-100`;
  return grouping === 'bci' ? `${label}:-1` : label;
}
