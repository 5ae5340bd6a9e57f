import { type ProfileUnits, SAMPLES } from '../../profile/profile-units.ts';
import type { ProfileTables } from './profile-tables.ts';
import { capitalised } from '../../text/capitalised.ts';

/** One of the values that every sample of a profile has. */
export interface SampleType {
  /** Place among a sample's values. */
  readonly at: number;
  /** For the choice: its name, with its unit where two have the same. */
  readonly id: string;
  readonly name: string;
  readonly unit: string;
}

/** Unit of a value -> what it is in ns or bytes. */
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
const BYTES: Readonly<Record<string, number | undefined>> = {
  bytes: 1,
  byte: 1,
  kilobytes: 1 << 10,
  megabytes: 1 << 20,
};

/** What is counted and what is summed when one sample type is looked at. */
export interface Measure {
  readonly units: ProfileUnits;
  /** Place of the counts; undefined where every sample counts as one. */
  readonly countAt: number | undefined;
  /** Place of the values, and what they are multiplied by; undefined where nothing is summed. */
  readonly valueAt: number | undefined;
  readonly factor: number;
}

export function sampleTypesOf(tables: ProfileTables): SampleType[] {
  const types = tables.sampleTypes.map(({ type, unit }, at) => ({
    at,
    name: tables.text(type) || 'samples',
    unit: tables.text(unit) || 'count',
  }));
  const ids = new Set<string>();
  return types.map((type) => {
    let id =
      types.filter(({ name }) => name === type.name).length > 1 ? `${type.name}-${type.unit}` : type.name;
    while (ids.has(id)) id += `-${type.at}`;
    ids.add(id);
    return { ...type, id };
  });
}

/** The one that pprof itself would show: what the profile says, else the last. */
export function defaultSampleType(
  types: readonly SampleType[],
  tables: ProfileTables,
): SampleType | undefined {
  const name = tables.text(tables.defaultSampleType);
  return types.find((type) => name !== '' && type.name === name) ?? types[types.length - 1];
}

/**
 * Counts are counted; times and bytes are summed, and counted by the counts beside them: `samples` if there are any,
 * else those right before, as in `alloc_objects`, `alloc_space`.
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
  const beside =
    counts.find(({ name }) => name === 'samples') ?? counts.find(({ at }) => at === chosen.at - 1);
  return {
    units: {
      counted: beside === undefined ? SAMPLES : countedAs(beside),
      value: { name: titled(chosen.name), unit: ns === undefined ? 'bytes' : 'ns' },
    },
    countAt: beside?.at,
    valueAt: chosen.at,
    factor,
  };
}

function countedAs({ name, unit }: SampleType): ProfileUnits['counted'] {
  if (name.endsWith('objects')) return { one: 'object', many: 'objects' };
  if (name === 'contentions') return { one: 'contention', many: 'contentions' };
  if (name === 'calls') return { one: 'call', many: 'calls' };
  return unit === 'count' ? SAMPLES : { one: unit, many: unit };
}

/** `alloc_space` -> `Alloc space`. */
function titled(name: string): string {
  const words = name.replaceAll('_', ' ');
  return capitalised(words);
}
