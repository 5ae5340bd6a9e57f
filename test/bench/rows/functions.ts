/**
 * Cost of the views at full size, called as the mirror calls them, without messages and drawing. The first computation
 * in a new process counts, including JIT compilation; the cost of a repetition is recorded.
 */
import { createReadStream } from 'node:fs';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { applyDelta } from '../../../shared/delta/apply-delta.ts';
import { decodeDelta, encodeDelta } from '../../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../../shared/delta/make-delta.ts';
import { type DeltaCursor, NOTHING } from '../../../shared/delta/profile-delta.ts';
import { HonestLogDecoder } from '../../../shared/formats/honest-log/decoder.ts';
import { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { DELTA_PREFIX } from '../../../shared/protocol/transport.ts';
import { CallTree } from '../../../shared/engine/trees/call-tree.ts';
import { calleesOf, callersOf, type MethodTreeOptions } from '../../../shared/engine/trees/callers.ts';
import { FlatProfile } from '../../../shared/engine/views/flat-profile.ts';
import type { FrameGrouping } from '../../../shared/engine/trees/grouping.ts';
import { Chains } from '../../../shared/engine/trees/chains.ts';
import { ChainSums } from '../../../shared/engine/values/value-columns.ts';
import { type MethodSums, sumCallees, sumCallers, RowSums } from '../../../shared/engine/values/row-sums.ts';
import { median } from '../median.ts';
import type { Bench, BenchRow, Figure, LogShapeName } from '../row.ts';

const FLAT_MS = 150;
const REGROUPED_MS = 700;
const CALLERS_MS = 150;
const DELTA_MS = 40;
const BYTES_PER_CHANGE = 16;
/** 5.1 million nodes. */
const FIVE_MILLION_NODES = 200e6;
/** Samples ended at 115 000 different nodes. */
const CHANGES = 313e6;
const SMALL = 20e6;
/** Length of a host's prefix of each delta, bytes. */
const PREFIX = DELTA_PREFIX;

export const FUNCTION_ROWS: readonly BenchRow[] = [
  {
    id: 'functions',
    what: 'flat, regrouped tree, callers: 5 M nodes',
    short: true,
    measure: (bench) => measureViews(bench, 'real', bench.short ? SMALL : FIVE_MILLION_NODES, true),
  },
  {
    id: 'functions-hostile',
    what: 'the same where every stack is new',
    short: false,
    measure: (bench) => measureViews(bench, 'hostile', 100e6, false),
  },
  {
    id: 'functions-skewed',
    what: 'the same where stacks repeat',
    short: false,
    measure: (bench) => measureViews(bench, 'skewed', 100e6, false),
  },
  {
    id: 'delta',
    what: 'delta of 100 000 changed nodes',
    short: true,
    measure: measureDelta,
  },
];

/** Reads a log into a profile. `onPiece` is called after every 4 MiB. */
async function read(file: string, aggregator: ProfileAggregator, onPiece?: () => void): Promise<void> {
  const decoder = new HonestLogDecoder(aggregator);
  for await (const bytes of createReadStream(file, { highWaterMark: 4 << 20 })) {
    decoder.append(bytes as Buffer);
    onPiece?.();
  }
  decoder.emitOpen(true);
}

async function measureViews(
  bench: Bench,
  shape: LogShapeName,
  bytes: number,
  isGoal: boolean,
): Promise<Figure[]> {
  const aggregator = new ProfileAggregator();
  await read(await bench.log(shape, bytes), aggregator);
  const { profile } = aggregator;
  const goal = (ms: number): number | undefined => (isGoal ? ms : undefined);
  const passMs = median(Array.from({ length: 5 }, () => milliseconds(() => onePass(profile))));

  const chains = new Chains(profile);
  const chainSums = new ChainSums(chains);
  // An existing list would only take in what is new.
  let flat!: FlatProfile;
  const flatOnce = (): number =>
    milliseconds(() => {
      chains.update();
      chainSums.update(profile.selfValues);
      flat = new FlatProfile(profile, 'fqmn', 'once');
      flat.update(profile.selfValues, () => chainSums);
    });
  const firstFlat = flatOnce();
  const flatAgain = flatOnce();

  // From the grouping that the window starts with to each other one, and back.
  const regrouped: Record<string, number> = {};
  const rows: Record<string, number> = {};
  const regroup = (name: string, frames: FrameGrouping): void => {
    const tree = new CallTree(profile, { threads: 'name', frames });
    const sums = new RowSums(tree, profile.selfValues);
    regrouped[name] = milliseconds(() => {
      tree.update();
      sums.update();
    });
    rows[name] = tree.length;
  };
  regroup('at first', 'fqmn');
  for (const frames of ['line', 'bci', 'method-id'] as const) {
    regroup(frames, frames);
    regroup(`from ${frames} back`, 'fqmn');
  }

  const hottest = [...flat.selfCount.keys()]
    .sort((a, b) => flat.selfCount[b] - flat.selfCount[a])
    .slice(0, 20);
  const told = (
    of: (options: MethodTreeOptions) => MethodSums,
  ): { readonly method: string; readonly ms: number; readonly rows: number }[] =>
    hottest.map((key) => {
      let length = 0;
      const ms = milliseconds(() => {
        length = of({ chains, keys: flat.keys, key, recursion: 'once', threads: 'all' }).tree.length;
      });
      return { method: flat.keys.labels[key], ms, rows: length };
    });
  const callers = told((options) => sumCallers(callersOf(profile, options), chainSums));
  const callees = told((options) => sumCallees(calleesOf(options), chainSums));
  const worst = (each: typeof callers): number => Math.max(...each.map(({ ms }) => ms));
  const detail = { nodes: profile.nodes.length, chains: chains.length, onePassOverAllNodesMs: passMs };
  return [
    {
      id: 'flat',
      value: firstFlat,
      unit: 'ms',
      goal: goal(FLAT_MS),
      detail: { ...detail, again: flatAgain },
    },
    {
      id: 'regrouped, worst',
      value: Math.max(...Object.values(regrouped)),
      unit: 'ms',
      goal: goal(REGROUPED_MS),
      detail: { ...detail, regrouped, rows },
    },
    {
      id: 'callers of the hottest',
      value: callers[0].ms,
      unit: 'ms',
      goal: goal(CALLERS_MS),
      detail: { ...detail, callers },
    },
    { id: 'callers, worst of 20', value: worst(callers), unit: 'ms', goal: undefined },
    { id: 'callees, worst of 20', value: worst(callees), unit: 'ms', goal: undefined, detail: { callees } },
  ];
}

/** Lower bound of any view: one visit to each node. */
function onePass({ nodes }: LeanProfile): number {
  let sum = 0;
  for (let node = 0; node < nodes.length; node++) sum += nodes.parent[node] ^ nodes.frame[node];
  return sum;
}

async function measureDelta(bench: Bench): Promise<Figure[]> {
  const file = await bench.log('real', bench.short ? SMALL : CHANGES);
  const aggregator = new ProfileAggregator({ journal: true });
  await read(file, aggregator);
  const { journal, profile } = aggregator;
  if (journal === undefined) throw new Error('the aggregator keeps no journal');
  const source = { journal, profile };
  const copy = new LeanProfile();
  let cursor: DeltaCursor = NOTHING;
  const follow = (): void => {
    for (let complete = false; !complete;) {
      const delta = decodeDelta(encodeDelta(makeDelta(source, 1, cursor), PREFIX), PREFIX);
      applyDelta(copy, delta);
      cursor = delta.to;
      complete = delta.complete;
    }
  };
  follow();
  // A subscriber has applied some deltas before a large one arrives, so this code is compiled.
  await read(file, aggregator, follow);
  follow();
  const rounds: Record<'changed' | 'bytes' | 'header' | 'encode' | 'transport' | 'apply' | 'all', number>[] =
    [];
  for (let round = 0; round < 5; round++) {
    // The same stacks once more: no new node, and every one that samples ended at has changed.
    await read(file, aggregator);
    const startedAt = performance.now();
    const made = makeDelta(source, 1, cursor);
    const message = encodeDelta(made, PREFIX);
    const encodedAt = performance.now();
    const bytes = message.byteLength;
    const header = headerBytes(message);
    const received = await acrossThreads(message);
    const receivedAt = performance.now();
    const delta = decodeDelta(received, PREFIX);
    applyDelta(copy, delta);
    const appliedAt = performance.now();
    cursor = delta.to;
    rounds.push({
      changed: delta.changed.row.length,
      bytes,
      header,
      encode: encodedAt - startedAt,
      transport: receivedAt - encodedAt,
      apply: appliedAt - receivedAt,
      all: appliedAt - startedAt,
    });
  }
  const [{ changed, bytes, header }] = rounds;
  // A small delta costs more per node, because it includes the one-time JIT compilation.
  const scale = Math.min(1, 100_000 / changed);
  const detail = { rounds, scaledTo: 100_000 };
  return [
    {
      id: 'encode + transport + apply',
      value: median(rounds.map(({ all }) => all)) * scale,
      unit: 'ms',
      goal: DELTA_MS,
      detail,
    },
    { id: 'at first', value: rounds[0].all * scale, unit: 'ms', goal: undefined },
    // One header for all deltas.
    {
      id: 'bytes per changed node',
      value: (bytes - header) / changed,
      unit: 'bytes',
      goal: BYTES_PER_CHANGE,
      detail: { bytes, header, changed },
    },
  ];
}

/** Prefix, header and what pads it: the columns begin at a multiple of 8. */
function headerBytes(message: ArrayBuffer): number {
  return Math.ceil((PREFIX + 8 + new DataView(message).getUint32(PREFIX, true)) / 8) * 8;
}

function acrossThreads(message: ArrayBuffer): Promise<ArrayBuffer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port2.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      port1.close();
      resolve(data);
    };
    port1.postMessage(message, [message]);
  });
}

function milliseconds(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
