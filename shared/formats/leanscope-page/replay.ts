import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { NONE } from '../../profile/columns.ts';
import type { LeanProfile } from '../../profile/lean-profile.ts';
import { MADE_ID_HI } from '../../profile/method-table.ts';
import type { SampleTable } from '../../profile/sample-table.ts';

/** Gives a sink all that a profile has: threads, call nodes, and samples, with their times where these are known. */
export function replay(profile: LeanProfile, sink: SampleSink): void {
  const nodeOf = replayNodes(profile, sink);
  const { samples, selfValues } = profile;
  const counted = samples === undefined ? undefined : replaySamples(profile, samples, nodeOf, sink);
  if (counted !== undefined) sink.takenAt(undefined, 0);
  for (let row = 0; row < selfValues.length && !sink.isFull; row++) {
    const count = selfValues.count[row] - (counted?.count[row] ?? 0);
    const value = selfValues.time.exact(row) - (counted?.value[row] ?? 0n);
    if (count !== 0 || value !== 0n) sink.samplesAt(nodeOf[selfValues.node[row]], count, shortest(value));
  }
}

/** Node of the profile -> node of the sink. */
function replayNodes({ threads, methods, frames, nodes }: LeanProfile, sink: SampleSink): Int32Array {
  const threadIds = uniqueIds(threads);
  const methodIds = uniqueIds(methods);
  for (let row = 0; row < threads.length && !sink.isFull; row++) {
    const thread = sink.thread(threadIds.hi[row], threadIds.lo[row]);
    const name = threads.name[row];
    if (name !== undefined) sink.nameThread(thread, name);
  }
  for (let row = 0; row < methods.length && !sink.isFull; row++) {
    const method = sink.method(methodIds.hi[row], methodIds.lo[row]);
    const names = methods.names[row];
    if (names !== undefined) sink.defineMethod(method, names);
  }
  const nodeOf = new Int32Array(nodes.length).fill(NONE);
  const depth = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length && !sink.isFull; node++) {
    const parent = nodes.parent[node];
    const frame = nodes.frame[node];
    if (parent === NONE) {
      nodeOf[node] = sink.root(sink.thread(threadIds.hi[~frame], threadIds.lo[~frame]));
      continue;
    }
    depth[node] = depth[parent] + 1;
    const method = frames.method[frame];
    nodeOf[node] = sink.callee(
      nodeOf[parent],
      depth[node],
      methodIds.hi[method],
      methodIds.lo[method],
      frames.line[frame],
      frames.bci[frame],
    );
  }
  return nodeOf;
}

interface CountedSamples {
  readonly count: Float64Array;
  readonly value: readonly bigint[];
}

/** Returns what the samples have added to each row of the SelfTable. */
function replaySamples(
  { selfValues }: LeanProfile,
  samples: SampleTable,
  nodeOf: Int32Array,
  sink: SampleSink,
): CountedSamples {
  const count = new Float64Array(selfValues.length);
  const value = new Array<bigint>(selfValues.length).fill(0n);
  const { length, self, valueSelf = self, at } = samples;
  for (let row = 0; row < length && !sink.isFull; row++) {
    const exact = samples.value.exact(row);
    const node = nodeOf[selfValues.node[self[row]]];
    sink.takenAt(samples.origin ?? 0n, at.bigints?.get(row) ?? at.ns[row]);
    sink.sampleAt(node, shortest(exact), nodeOf[selfValues.node[valueSelf[row]]]);
    count[self[row]]++;
    value[valueSelf[row]] += exact;
  }
  return { count, value };
}

/** Merged logs may have the same ids for different threads and methods: those after the first get another one. */
function uniqueIds({ length, idHi, idLo }: LeanProfile['threads'] | LeanProfile['methods']): {
  readonly hi: Int32Array;
  readonly lo: Int32Array;
} {
  const hi = idHi.slice(0, length);
  const lo = idLo.slice(0, length);
  const known = new Set<string>();
  for (let row = 0; row < length; row++) {
    if (known.has(`${hi[row]}:${lo[row]}`)) {
      hi[row] = MADE_ID_HI + 1;
      lo[row] = row;
    }
    known.add(`${hi[row]}:${lo[row]}`);
  }
  return { hi, lo };
}

function shortest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
