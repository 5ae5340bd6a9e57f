import { NONE } from '../profile/columns.ts';
import { LeanProfile, nodesWithValues } from '../profile/lean-profile.ts';
import type { MethodNames } from '../profile/method-table.ts';
import { hasValues } from '../profile/self-table.ts';
import { SampleTable } from '../profile/sample-table.ts';
import type { TimeColumn } from '../profile/time-column.ts';

/** The parts of a profile that are copied. */
interface ProfilePart {
  readonly profile: LeanProfile;
  /** Samples that ended at each node, over the nodes of `profile`. */
  readonly values: PartValues;
  /** The samples with their times; undefined: the copy has no times. */
  readonly timed: PartSamples | undefined;
}

interface PartValues {
  readonly length: number;
  readonly node: ArrayLike<number>;
  readonly count: ArrayLike<number>;
  readonly time: Pick<TimeColumn, 'ns' | 'bigints'>;
}

/** Single samples of the log that the profile is of. */
export interface PartSamples {
  readonly samples: SampleTable;
  /** Row of the samples -> whether it is copied. */
  readonly isWithin: (row: number) => boolean;
  /** Row of the log's SelfTable -> node of the profile where its samples end, NONE outside of the part. */
  readonly leaves: Int32Array;
}

interface CopyChoices {
  /** Without them all stacks are in one thread. */
  readonly threads: boolean;
  /** Replaces names; undefined: they stay. */
  readonly rename?: Renaming | undefined;
}

export interface Renaming {
  readonly method: (names: MethodNames) => MethodNames;
  readonly thread: (name: string) => string;
  /** The names of classes in any text. */
  readonly text: (text: string) => string;
}

/** The name of the only thread of a copy without threads. */
const ALL_THREADS = 'all threads';

/**
 * A profile with nothing but a part of another one: only the call nodes where its samples end and their callers, only
 * the frames, methods and threads of these. O(nodes + samples).
 */
export function copyOfPart(part: ProfilePart, { threads: withThreads, rename }: CopyChoices): LeanProfile {
  const { profile: source, values, timed } = part;
  const { nodes, frames, methods, threads } = source;
  const isUsed = nodesWithValues(source, values, timed?.leaves);
  const copy = new LeanProfile(true, timed && new SampleTable());

  const methodOf = new Int32Array(methods.length).fill(NONE);
  const frameOf = new Int32Array(frames.length).fill(NONE);
  const copyMethod = (method: number): number => {
    const row = copy.methods.append(methods.idHi[method], methods.idLo[method]);
    const names = methods.names[method];
    copy.methods.names[row] = names && withoutFolder(rename?.method(names) ?? names);
    return (methodOf[method] = row);
  };
  const copyFrame = (frame: number): number => {
    const method = frames.method[frame];
    const row = methodOf[method] === NONE ? copyMethod(method) : methodOf[method];
    return (frameOf[frame] = copy.frames.append(row, frames.line[frame], frames.bci[frame]));
  };
  const copyThread = (thread: number): number => {
    if (!withThreads && copy.threads.length > 0) return copy.threads.root[0];
    const row = withThreads
      ? copy.threads.append(threads.idHi[thread], threads.idLo[thread])
      : copy.threads.append(0, 0);
    const name = threads.name[thread];
    copy.threads.name[row] = withThreads ? name && (rename?.thread(name) ?? name) : ALL_THREADS;
    copy.threads.group[row] = withThreads ? threads.group[thread] : undefined;
    return copy.appendRoot(row);
  };

  const nodeOf = new Int32Array(nodes.length).fill(NONE);
  /** Only stacks of different threads have equal paths. */
  const known = withThreads ? undefined : new Map<number, number>();
  for (let node = 0; node < nodes.length; node++) {
    if (isUsed[node] === 0) continue;
    const frame = nodes.frame[node];
    if (frame < 0) {
      nodeOf[node] = copyThread(~frame);
      continue;
    }
    const parent = nodeOf[nodes.parent[node]];
    const copied = frameOf[frame] === NONE ? copyFrame(frame) : frameOf[frame];
    const path = parent * frames.length + copied;
    const same = known?.get(path);
    nodeOf[node] = same ?? copy.nodes.append(parent, copied);
    if (same === undefined) known?.set(path, nodeOf[node]);
  }

  for (let row = 0; row < values.length; row++) {
    if (!hasValues(values, row)) continue;
    const self = copy.selfValues.rowOf(nodeOf[values.node[row]]);
    copy.selfValues.add(self, values.count[row], values.time.bigints?.get(row) ?? values.time.ns[row]);
  }
  if (timed !== undefined) copySamples(timed, nodeOf, copy);
  return copy;
}

function copySamples(
  { samples, isWithin, leaves }: PartSamples,
  nodeOf: Int32Array,
  { samples: copied, selfValues }: LeanProfile,
): void {
  if (copied === undefined) return;
  const { length, self, valueSelf = self, at, value } = samples;
  copied.origin = samples.origin;
  for (let row = 0; row < length; row++) {
    const leaf = leaves[self[row]];
    if (leaf === NONE || !isWithin(row)) continue;
    const valueLeaf = leaves[valueSelf[row]];
    const from = row & value.mask;
    copied.append(
      at.bigints?.get(row) ?? at.ns[row],
      selfValues.rowOf(nodeOf[leaf]),
      value.column.bigints?.get(from) ?? value.column.ns[from],
      selfValues.rowOf(nodeOf[valueLeaf === NONE ? leaf : valueLeaf]),
    );
  }
}

/** A file without the folders of the machine where it was compiled. */
function withoutFolder(names: MethodNames): MethodNames {
  const { file } = names;
  return /^(?:[\\/]|[A-Za-z]:)/.test(file) ? { ...names, file: file.replace(/^.*[\\/]/s, '') } : names;
}
