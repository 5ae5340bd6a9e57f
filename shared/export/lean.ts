import { type LeanProfile, sumTotals } from '../profile/lean-profile.ts';
import { NONE } from '../profile/columns.ts';
import { compareWideIds, wideIdText } from '../profile/wide-id.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

/**
 * The whole profile as canonical text (specs: cli, `lean`): threads by signed id, their frames in pre-order, siblings
 * by (method id, line, BCI), all numbers in decimal.
 *
 *   T threadId selfCnt totalCnt selfTime totalTime
 *   N depth methodId line bci selfCnt totalCnt selfTime totalTime
 */
export function exportLean(profile: LeanProfile, sink: TextSink): void {
  const { threads, methods, frames, nodes, selves } = profile;
  const totals = sumTotals(profile);
  const writer = new LineWriter(sink);
  const methodIds = Array.from({ length: methods.length }, (_, row) =>
    wideIdText(methods.idHi[row], methods.idLo[row]),
  );

  const order = new Int32Array(nodes.length);
  for (let node = 0; node < order.length; node++) order[node] = node;
  // Sorting all nodes once by frame gives every sibling list its order when the lists are built back to front.
  const rank = frameRanks(profile);
  order.sort((a, b) => (rank[nodes.frame[a]] ?? 0) - (rank[nodes.frame[b]] ?? 0));
  const firstChild = new Int32Array(nodes.length).fill(NONE);
  const nextSibling = new Int32Array(nodes.length).fill(NONE);
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at];
    const parent = nodes.parent[node];
    if (parent === NONE || totals.count[node] === 0) continue;
    nextSibling[node] = firstChild[parent];
    firstChild[parent] = node;
  }

  const values = (node: number): string => {
    const self = selves.find(node);
    const selfValues = self < 0 ? '0\t' : `${selves.count[self]}\t`;
    return `${selfValues}${totals.count[node]}\t${self < 0 ? '0' : selves.time.text(self)}\t${totals.time.text(node)}`;
  };
  const threadOrder = Array.from({ length: threads.length }, (_, row) => row)
    .filter((row) => threads.root[row] !== NONE)
    .sort((a, b) => compareWideIds(threads.idHi[a], threads.idLo[a], threads.idHi[b], threads.idLo[b]));
  for (const thread of threadOrder) {
    const root = threads.root[thread];
    writer.line(`T\t${wideIdText(threads.idHi[thread], threads.idLo[thread])}\t${values(root)}`);
    let depth = 1;
    let node = firstChild[root];
    while (node !== NONE) {
      const frame = nodes.frame[node];
      writer.line(
        `N\t${depth}\t${methodIds[frames.method[frame]]}\t${frames.line[frame]}\t${frames.bci[frame]}\t${values(node)}`,
      );
      if (firstChild[node] !== NONE) {
        node = firstChild[node];
        depth++;
        continue;
      }
      while (node !== root && nextSibling[node] === NONE) {
        node = nodes.parent[node];
        depth--;
      }
      node = node === root ? NONE : nextSibling[node];
    }
  }
  writer.flush();
}

/** frame -> its place in the order (method id, line, BCI). */
function frameRanks({ frames, methods }: LeanProfile): Int32Array {
  const byId = Array.from({ length: frames.length }, (_, row) => row).sort((a, b) => {
    const methodA = frames.method[a];
    const methodB = frames.method[b];
    return (
      compareWideIds(
        methods.idHi[methodA],
        methods.idLo[methodA],
        methods.idHi[methodB],
        methods.idLo[methodB],
      ) ||
      frames.line[a] - frames.line[b] ||
      frames.bci[a] - frames.bci[b]
    );
  });
  const ranks = new Int32Array(frames.length);
  byId.forEach((frame, rank) => {
    ranks[frame] = rank;
  });
  return ranks;
}
