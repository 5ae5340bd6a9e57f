import { type ProfileUnits, SAMPLES, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../profile/profile-units.ts';
import {
  elementsOf,
  isList,
  isObject,
  type JsonList,
  type JsonObject,
  listOf,
  numberOf,
  textOf,
} from '../json.ts';
import { tableOf } from './tables.ts';

const NS_PER_MS = 1e6;
/** Unit of CPU time -> ns. Cycles of changing length are no time. */
const CPU_FACTORS: Readonly<Record<string, number>> = { ns: 1, µs: 1000, us: 1000 };
const ALLOCATIONS = { one: 'allocation', many: 'allocations', isSampled: true, isDependent: true };

/** The addition of one row of a table of samples. */
export interface Weighed {
  /** The number of samples that it stands for; may be a fraction, or negative in a difference of profiles. */
  readonly count: number;
  /** Their ns or bytes together. */
  readonly value: number;
}

/** A table of samples of a thread, and what of it is summed: a profile of its own. */
export interface FirefoxKind {
  /** Value of the choice. */
  readonly id: string;
  readonly name: string;
  readonly units: ProfileUnits;
  readonly table: 'samples' | 'jsAllocations' | 'nativeAllocations';
  /** The type of weight that the table must have. */
  readonly weightType?: string;
  /** The addition of a row; undefined: it belongs to another kind. `cpu`: the CPU delta, undefined for none. */
  readonly weigh: (weight: number, cpu: number | undefined) => Weighed | undefined;
}

/** The kinds of profiles that the threads of a file have, the most usual first. */
export function kindsOf(threads: JsonList, meta: JsonObject): readonly FirefoxKind[] {
  const kinds = possibleKinds(meta);
  const present = new Set<FirefoxKind>();
  for (const thread of threads) {
    if (present.size === kinds.length) break;
    for (const kind of kinds)
      if (isObject(thread) && !present.has(kind) && hasRows(thread, kind)) present.add(kind);
  }
  return kinds.filter((kind) => present.has(kind));
}

/** The table of a thread for a kind; undefined if it has other weights. */
export function tableFor(thread: JsonObject, { table, weightType }: FirefoxKind): JsonObject | undefined {
  const found = tableOf(thread, table);
  return weightType === undefined || (textOf(found.weightType) || 'samples') === weightType
    ? found
    : undefined;
}

/** Returns what the next row of a table adds each time. */
export function weightsOf(table: JsonObject, { weigh }: FirefoxKind): () => Weighed | undefined {
  // Before version 29, weights were called durations.
  const weights = table.weight ?? table.duration;
  const [nextWeight, nextCpu] = [elementsOf(weights), elementsOf(table.threadCPUDelta)];
  const isWeighed = isList(weights);
  let isFirst = true;
  return () => {
    const weight = isWeighed ? (numberOf(nextWeight()) ?? NaN) : 1;
    const cpu = numberOf(nextCpu());
    // The first CPU delta is one since a sample that is not in the file.
    const weighed = weigh(weight, isFirst ? undefined : cpu);
    isFirst = false;
    return weighed;
  };
}

function hasRows(thread: JsonObject, kind: FirefoxKind): boolean {
  const table = tableFor(thread, kind);
  if (table === undefined) return false;
  const { length } = listOf(table.stack);
  const next = weightsOf(table, kind);
  for (let row = 0; row < length; row++) if (next() !== undefined) return true;
  return false;
}

function possibleKinds(meta: JsonObject): readonly FirefoxKind[] {
  const interval = Math.max(0, numberOf(meta.interval) ?? 0) * NS_PER_MS;
  const unit = textOf(tableOf(meta, 'sampleUnits').threadCPUDelta);
  const factor = Object.hasOwn(CPU_FACTORS, unit) ? CPU_FACTORS[unit] : undefined;
  const kinds: FirefoxKind[] = [
    {
      id: 'samples',
      name: 'Samples',
      units: interval === 0 ? SAMPLES_ONLY : SAMPLES_AND_TIME,
      table: 'samples',
      weightType: 'samples',
      weigh: (weight) => ({ count: weight, value: Math.round(weight * interval) }),
    },
    {
      id: 'traced',
      name: 'Traced time',
      units: {
        counted: { one: 'interval', many: 'intervals', isDependent: true },
        value: { name: 'Time', unit: 'ns' },
      },
      table: 'samples',
      weightType: 'tracing-ms',
      weigh: (weight) => ({ count: Math.sign(weight), value: Math.round(weight * NS_PER_MS) }),
    },
    {
      id: 'bytes',
      name: 'Bytes',
      units: { counted: { ...SAMPLES, isDependent: true }, value: { name: 'Bytes', unit: 'bytes' } },
      table: 'samples',
      weightType: 'bytes',
      weigh: (weight) => ({ count: Math.sign(weight), value: Math.round(weight) }),
    },
  ];
  if (factor !== undefined)
    kinds.push({
      id: 'cpu',
      name: 'CPU time',
      units: {
        counted: SAMPLES,
        value: {
          name: 'CPU time',
          unit: 'ns',
          meaning: 'the CPU time that the thread has used since its sample before',
        },
      },
      table: 'samples',
      weigh: (_, cpu) =>
        cpu !== undefined && cpu > 0 ? { count: 1, value: Math.round(cpu * factor) } : undefined,
    });
  const allocations = (
    id: string,
    name: string,
    of: string,
    table: FirefoxKind['table'],
    sign: number,
  ): FirefoxKind => ({
    id,
    name,
    units: { counted: ALLOCATIONS, value: { name: of, unit: 'bytes' } },
    table,
    weigh: (weight) => (weight * sign > 0 ? { count: 1, value: Math.round(weight * sign) } : undefined),
  });
  kinds.push(
    allocations('js-allocations', 'JavaScript allocations', 'Allocated', 'jsAllocations', 1),
    allocations('native-allocations', 'Native allocations', 'Allocated', 'nativeAllocations', 1),
    allocations('native-frees', 'Native memory freed', 'Freed', 'nativeAllocations', -1),
  );
  return kinds;
}
