import { type Choice, SAMPLE_TYPE_CHOICE, PER_CHOICE } from '../facts/choice.ts';
import { type ProfileUnits, SAMPLES } from '../profile/profile-units.ts';
import { capitalised } from '../text/format-value.ts';

/** Note for a profile whose counts, which are doubles, are not exact. Values are. */
export const ROUNDED_COUNTS = 'The counts add up to more than 2^53: they are rounded to 16 digits.';

/** One of the values of every sample. */
export interface SampleType {
  /** Index among a sample's values. */
  readonly at: number;
  /** Value of the choice: the name, with the unit if another type has the same name. */
  readonly id: string;
  readonly name: string;
  readonly unit: string;
}

/** Unit of a value -> ns. */
const NS: Readonly<Record<string, number | undefined>> = {
  nanoseconds: 1,
  ns: 1,
  microseconds: 1e3,
  us: 1e3,
  milliseconds: 1e6,
  ms: 1e6,
  seconds: 1e9,
  s: 1e9,
};
/** Unit of a value -> bytes. */
const BYTES: Readonly<Record<string, number | undefined>> = {
  bytes: 1,
  byte: 1,
  kilobytes: 1 << 10,
  megabytes: 1 << 20,
};

/** The counted and summed quantities of a sample type. */
export interface Measure {
  readonly units: ProfileUnits;
  /** Index of the counts; undefined if every sample counts as one. */
  readonly countAt: number | undefined;
  /** Index of the values; undefined if nothing is summed. */
  readonly valueAt: number | undefined;
  /** Converts values to ns or bytes. */
  readonly factor: number;
}

/**
 * A type with another unit is only counted. Times and bytes are summed, and the count is another type with the unit
 * `count`: `samples` if there is one, or the type right before, as in `alloc_objects`, `alloc_space`.
 */
export function measureOf(chosen: SampleType, types: readonly SampleType[]): Measure {
  const ns = NS[chosen.unit];
  const factor = ns ?? BYTES[chosen.unit];
  if (factor === undefined)
    return {
      units: { counted: countedAs(chosen), value: undefined },
      countAt: chosen.at,
      valueAt: undefined,
      factor: 1,
    };
  const counts = types.filter(({ unit }) => unit === 'count');
  const countType =
    counts.find(({ name }) => name === 'samples') ?? counts.find(({ at }) => at === chosen.at - 1);
  return {
    units: {
      counted: dependentIf(ns === undefined, countType === undefined ? SAMPLES : countedAs(countType)),
      value: { name: titled(chosen.name), unit: ns === undefined ? 'bytes' : 'ns' },
    },
    countAt: countType?.at,
    valueAt: chosen.at,
    factor,
  };
}

/** A value in ns or bytes, exact: a bigint if it is not a safe integer. */
export function product(value: number | bigint, factor: number): number | bigint {
  const rounded = Number(value) * factor;
  return Number.isSafeInteger(rounded) ? rounded : BigInt(value) * BigInt(factor);
}

/** Bytes are those of allocations, which are not independent of each other. */
function dependentIf(isDependent: boolean, counted: ProfileUnits['counted']): ProfileUnits['counted'] {
  return isDependent ? { ...counted, isDependent } : counted;
}

function countedAs({ name, unit }: SampleType): ProfileUnits['counted'] {
  if (name.endsWith('objects')) return { one: 'object', many: 'objects', isDependent: true };
  if (name === 'contentions') return { one: 'contention', many: 'contentions', isDependent: true };
  if (name === 'calls') return { one: 'call', many: 'calls' };
  return unit === 'count' ? SAMPLES : { one: singular(unit), many: unit, isDependent: true };
}

/** `event` for `events`, `miss` for `misses`. A unit that is no plural stays as it is. */
function singular(unit: string): string {
  return unit.replace(/(?:(ss|x|ch|sh)es|([^ius])s)$/, '$1$2');
}

/** `alloc_space` -> `Alloc space`. */
function titled(name: string): string {
  const words = name.replaceAll('_', ' ');
  return capitalised(words);
}

/** More labels are no list that somebody chooses from. */
export const MOST_LABELS = 100;

/** The choice of what threads are, where samples have labels with these keys. `chosen`: one of them; undefined: threads. */
export function labelChoices(keys: ReadonlySet<string>, chosen: string | undefined): readonly Choice[] {
  const all = new Set(chosen === undefined ? keys : [...keys, chosen]);
  if (all.size === 0) return [];
  return [
    {
      id: PER_CHOICE,
      name: 'Threads are',
      hint: 'Each value of a label is a thread: lists, trees and the scope tell them apart as they do threads.',
      kind: 'one',
      options: [THREADS, ...[...all].toSorted()].map((value) => ({ value, text: value })),
      chosen: chosen ?? THREADS,
    },
  ];
}

/** The value of that choice for threads. */
export const THREADS = 'thread';

/** The choice of one of the values of each sample. */
export function sampleTypeChoice(types: readonly SampleType[], chosen: SampleType): Choice {
  return {
    id: SAMPLE_TYPE_CHOICE,
    name: 'Sample type',
    hint: 'Which of the values of each sample is shown.',
    kind: 'one',
    options: types.map(({ id, name, unit }) => ({ value: id, text: `${name} (${unit})` })),
    chosen: chosen.id,
  };
}
