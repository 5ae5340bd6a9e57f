import { int64 } from '../../shared/profile/int64.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { MACHINE_NAMES, type Scope, type Transform } from '../../shared/scope/scope.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { threadKey } from '../../shared/engine/trees/keys.ts';
import { framesOf, type Model, modelKey } from './reference-model.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Names that random logs give to threads, and expressions for some of them. */
const THREADS: readonly (readonly string[])[] = [
  ['Unknown Thread(s)'],
  ['main'],
  ['main', 'nobody'],
  ['/[a-m]/', '日本'],
  ['/^(?!(?:main|Unknown Thread\\(s\\))$)/'],
];
export const KINDS = [
  'keep',
  'drop',
  'leave-out',
  'focus',
  'merge',
  'only',
  'collapse',
  'collapse-class',
  'collapse-recursion',
  'fold',
] as const;

/** Id of a thread -> its key by name. */
export function threadNames(profile: LeanProfile): ReadonlyMap<bigint, string> {
  const { threads } = profile;
  return new Map(
    Array.from({ length: threads.length }, (_, row) => [
      int64(threads.idHi[row], threads.idLo[row]),
      threadKey(profile, row, 'name'),
    ]),
  );
}

/** The keys of a log's frames. */
export function keysOf(model: Model, grouping: FrameGrouping): string[] {
  return [...new Set(Array.from(framesOf(model), (frame) => modelKey(model, frame, grouping)))];
}

/** Up to three transforms of keys of the log, and sometimes threads. */
export function randomScope(random: SeededRandom, model: Model, grouping: FrameGrouping): Scope {
  const keys = [...keysOf(model, grouping), 'not there'];
  const transforms = Array.from({ length: random.below(4) }, () =>
    randomTransform(random.pick(KINDS), random, keys),
  );
  return { threads: random.below(3) === 0 ? random.pick(THREADS) : [], transforms };
}

export function randomTransform(
  kind: Transform['kind'],
  random: SeededRandom,
  keys: readonly string[],
): Transform {
  const key = keys.length === 0 ? 'none' : random.pick(keys);
  // Of whole characters: half of one is written as an escape.
  const characters = Array.from(key);
  const prefix = characters.slice(0, random.below(characters.length + 1)).join('');
  switch (kind) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return { kind, key };
    case 'leave-out':
      return { kind, of: 'idle' };
    case 'only':
      return { kind, prefixes: [prefix, random.pick([prefix, key])] };
    case 'collapse':
      return { kind, prefix };
    case 'collapse-class': {
      const end = key.indexOf(random.pick(['.', '$']), 1);
      return { kind, className: end < 0 ? key : key.slice(0, end) };
    }
    case 'collapse-recursion':
      return { kind, of: random.pick(['direct', 'all']) };
    case 'fold':
      return { kind, names: MACHINE_NAMES.filter(() => random.below(3) > 0) };
  }
}
