import { foldedNames } from '../../shared/scope/fold-names.ts';
import type { MachineName, Scope, Transform } from '../../shared/scope/scope.ts';
import type { FrameGrouping } from '../../shared/trees/grouping.ts';
import { type Model, modelKey } from './reference-model.ts';

/** A sample as its keys, root first. */
interface KeyedSample {
  readonly thread: string;
  readonly keys: readonly string[];
  readonly ns: bigint;
}

/** What a scope leaves of a log: stack -> `samples ns`, and how many samples are outside. */
export interface ScopedStacks {
  readonly stacks: ReadonlyMap<string, string>;
  readonly outside: number;
}

/**
 * A scope applied to one sample after the other, as lists of keys: a second implementation, from the definitions in the
 * specification. `threadName`: of a thread's id.
 */
export function scopedStacks(
  model: Model,
  scope: Scope,
  grouping: FrameGrouping,
  threadName: (id: bigint) => string,
): ScopedStacks {
  const sums = new Map<string, [samples: number, ns: bigint]>();
  const foldedKeys = foldedKeysOfTransforms(model, scope.transforms, grouping);
  let outside = 0;
  for (const { thread, stack, ns } of model.samples) {
    let sample: KeyedSample | undefined = {
      thread: threadName(thread),
      keys: stack.map((frame) => modelKey(model, frame, grouping)),
      ns,
    };
    if (!isSelected(scope, threadName(thread))) sample = undefined;
    for (const [at, transform] of scope.transforms.entries())
      sample = sample && transformed(sample, transform, grouping, foldedKeys[at]);
    if (sample === undefined) {
      outside++;
      continue;
    }
    const path = stackText(sample.thread, sample.keys);
    const sum = sums.get(path) ?? [0, 0n];
    sums.set(path, [sum[0] + 1, sum[1] + ns]);
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
  for (const frame of new Set(model.samples.flatMap(({ stack }) => stack)))
    keys.set(modelKey(model, frame, grouping), modelKey({ ...model, methods }, frame, grouping));
  return keys;
}

/** Keys may contain any character, so a path is JSON. */
export function stackText(thread: string, keys: readonly string[]): string {
  return JSON.stringify([thread, ...keys]);
}

function transformed(
  sample: KeyedSample,
  transform: Transform,
  grouping: FrameGrouping,
  foldedKeys: ReadonlyMap<string, string>,
): KeyedSample | undefined {
  const { keys } = sample;
  switch (transform.kind) {
    case 'keep':
      return keys.includes(transform.key) ? sample : undefined;
    case 'drop':
      return keys.includes(transform.key) ? undefined : sample;
    case 'focus': {
      const at = keys.indexOf(transform.key);
      return at < 0 ? undefined : { ...sample, keys: keys.slice(at) };
    }
    case 'merge':
      return { ...sample, keys: keys.filter((key) => key !== transform.key) };
    case 'only':
      return {
        ...sample,
        keys: keys.filter((key) => transform.prefixes.some((each) => key.startsWith(each))),
      };
    case 'collapse': {
      const belongs = (key: string | undefined): boolean => key?.startsWith(transform.prefix) === true;
      return {
        ...sample,
        keys: keys
          .filter((key, at) => !belongs(key) || !belongs(keys[at - 1]))
          .map((key) => (belongs(key) ? madeKey(`${transform.prefix}*`, grouping) : key)),
      };
    }
    case 'collapse-recursion':
      return {
        ...sample,
        keys: transform.of === 'direct' ? keys.filter((key, at) => key !== keys[at - 1]) : jumped(keys),
      };
    case 'fold':
      return { ...sample, keys: keys.map((key) => foldedKeys.get(key) ?? key) };
  }
}

function jumped(keys: readonly string[]): string[] {
  const left: string[] = [];
  for (let at = 0; at < keys.length; at++) {
    left.push(keys[at]);
    at = keys.lastIndexOf(keys[at]);
  }
  return left;
}

/** A frame that a transform makes has neither line nor BCI. */
export function madeKey(label: string, grouping: FrameGrouping): string {
  if (grouping === 'line') return `${label}:-100`;
  return grouping === 'bci' ? `${label}:-1` : label;
}
