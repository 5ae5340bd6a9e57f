import { type MeasuredId, type MeasuredSeries, MeasuredValues } from '../../facts/measured-series.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { WantedNames } from './field-plan.ts';

/** An event that measures something, and what its fields mean. */
export interface MeasuredEvent {
  /** `startTime` first. */
  readonly fields: WantedNames;
  /** The sum of the fields of these slots is a value of the series. */
  readonly series: readonly { readonly id: MeasuredId; readonly slots: readonly number[] }[];
}

/** Event -> how it is read. All are written rarely: once a second, or per garbage collection. */
export const MEASURED_EVENTS: ReadonlyMap<string, MeasuredEvent> = new Map([
  ['jdk.GCPhasePause', { fields: ['startTime', 'duration'], series: [{ id: 'gc-pause', slots: [1] }] }],
  [
    'jdk.CPULoad',
    {
      fields: ['startTime', 'jvmUser', 'jvmSystem', 'machineTotal'],
      series: [
        { id: 'cpu-jvm', slots: [1, 2] },
        { id: 'cpu-machine', slots: [3] },
      ],
    },
  ],
  ['jdk.GCHeapSummary', { fields: ['startTime', 'heapUsed'], series: [{ id: 'heap-used', slots: [1] }] }],
]);

/** One value, as an event has it: pauses in ticks. */
export interface MeasuredValue {
  readonly id: MeasuredId;
  readonly ticks: number;
  readonly value: number;
}

/** What a recording has measured, chunk by chunk, in the order in which a window shows it. */
export class RecordedMeasurements {
  readonly #values: Readonly<Record<MeasuredId, MeasuredValues>> = {
    'gc-pause': new MeasuredValues('pauses'),
    'cpu-jvm': new MeasuredValues('share'),
    'cpu-machine': new MeasuredValues('share'),
    'heap-used': new MeasuredValues('bytes'),
  };

  add({ id, ticks, value }: MeasuredValue, { startNs, startTicks, ticksPerSecond }: ChunkHeader): void {
    const nsPerTick = 1e9 / ticksPerSecond;
    const at = startNs + BigInt(Math.round((ticks - startTicks) * nsPerTick));
    this.#values[id].add(at, id === 'gc-pause' ? (value * nsPerTick) / 1e6 : value);
  }

  series(): readonly MeasuredSeries[] {
    return Object.entries(this.#values).flatMap(([id, values]) => values.series(id as MeasuredId) ?? []);
  }
}
