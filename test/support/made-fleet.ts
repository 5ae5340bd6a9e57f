import { datasetRows } from '../../electron/fleet/dataset-rows.ts';
import { writeDataset } from '../../electron/fleet/write-dataset.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import type { SeededRandom } from './seeded-random.ts';
import { stackCells } from './stack-cells.ts';

/** A sample of a made fleet, as a test counts it by itself. */
export interface FleetSample {
  readonly service: string;
  readonly host: string;
  readonly thread: string;
  /** ns since 1970. */
  readonly time: bigint;
  /** Numbers of methods, leaf first. */
  readonly stack: readonly number[];
  readonly ns: number;
}

const THREADS = ['main', 'http-1', 'http-2', 'GC Thread#0'] as const;
/** 2026-11-27T22:00Z: two hours before another day begins. */
const START = BigInt(Date.UTC(2026, 10, 27, 22)) * 1_000_000n;
const HOURS_NS = 4 * 3_600_000_000_000;

/** Samples of one host during four hours. */
export function madeSamples(
  random: SeededRandom,
  service: string,
  host: string,
  count: number,
): FleetSample[] {
  return Array.from({ length: count }, () => ({
    service,
    host,
    thread: random.pick(THREADS),
    time: START + BigInt(Math.floor(random.next() * HOURS_NS)),
    stack: Array.from({ length: 1 + random.below(6) }, () => random.below(12)),
    ns: random.below(1000) * 1000,
  }));
}

/** `com.acme.Class3.method7:17`: the frame of a method by its number. */
export function frameText(method: number): string {
  return `com.acme.Class${method % 4}.method${method}:${10 + method}`;
}

/** The profile of samples. */
export function profileOf(samples: readonly FleetSample[]): ProfileAggregator {
  const aggregator = new ProfileAggregator({ samples: true });
  for (const { thread, time, stack, ns } of samples) {
    const index = aggregator.thread(0, 1 + THREADS.findIndex((name) => name === thread));
    aggregator.nameThread(index, thread);
    aggregator.openThread(index);
    for (const method of stack) {
      const className = `com.acme.Class${method % 4}`;
      const names = { file: `Class${method % 4}.java`, className, methodName: `method${method}` };
      aggregator.defineMethod(aggregator.method(0, method), names);
    }
    aggregator.takenAt(time, 0);
    const frames = stack.map((method) => [0, method, 10 + method, method % 3] as const);
    aggregator.sample(index, stackCells(...frames), stack.length, ns);
  }
  return aggregator;
}

/** Adds the samples of one host of one service to a dataset. */
export function addToDataset(
  dir: string,
  samples: readonly FleetSample[],
  everyNs: bigint | undefined,
): void {
  const [{ service, host }] = samples;
  const times = samples.map(({ time }) => time).sort((a, b) => (a < b ? -1 : 1));
  const labels = { service, host, instance: '' };
  const rows = datasetRows({
    profile: profileOf(samples).profile,
    units: SAMPLES_AND_TIME,
    type: 'cpu',
    labels,
    everyNs,
    from: undefined,
    to: undefined,
    isOutside: undefined,
    span: { from: times[0], to: times[times.length - 1] },
  });
  writeDataset(dir, rows, labels, new Date(0));
}
