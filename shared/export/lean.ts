import { type LeanProfile, nodesWithValues, sumTotals } from '../profile/lean-profile.ts';
import { NONE } from '../profile/columns.ts';
import { compareInt64, int64Text } from '../profile/int64.ts';
import { countText } from '../text/format-value.ts';
import type { ExportInput } from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

/**
 * The complete profile as canonical text (specs: cli, `lean`): threads by signed id, their frames in pre-order,
 * siblings by (method id, line, BCI), all numbers in decimal.
 *
 *   T threadId selfCnt totalCnt selfTime totalTime
 *   N depth methodId line bci selfCnt totalCnt selfTime totalTime
 */
export function writeLean({ profile }: Pick<ExportInput, 'profile'>, sink: TextSink): void {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const totals = sumTotals(profile);
  const isWritten = nodesWithValues(profile);
  const writer = new LineWriter(sink, nodes.length);
  const methodIds = Array.from({ length: methods.length }, (_, row) =>
    int64Text(methods.idHi[row], methods.idLo[row]),
  );

  // A bucket sort: nodes are put into one bucket per frame. When the buckets are then read in reverse order of the
  // frames, all lists of siblings are sorted, although only the frames were compared.
  const firstInBucket = new Int32Array(frames.length).fill(NONE);
  const nextInBucket = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length; node++) {
    if (nodes.isRoot(node) || isWritten[node] === 0) continue;
    nextInBucket[node] = firstInBucket[nodes.frame[node]];
    firstInBucket[nodes.frame[node]] = node;
  }
  const firstChild = new Int32Array(nodes.length).fill(NONE);
  const nextSibling = new Int32Array(nodes.length).fill(NONE);
  for (const frame of framesInOrder(profile).reverse()) {
    for (let node = firstInBucket[frame]; node !== NONE; node = nextInBucket[node]) {
      nextSibling[node] = firstChild[nodes.parent[node]];
      firstChild[nodes.parent[node]] = node;
    }
  }

  const values = (node: number): string => {
    const self = selfValues.find(node);
    const selfCount = self < 0 ? '0' : countText(selfValues.count[self]);
    return `${selfCount}\t${countText(totals.count[node])}\t${self < 0 ? '0' : selfValues.time.text(self)}\t${totals.time.text(node)}`;
  };
  const threadOrder = Array.from({ length: threads.length }, (_, row) => row)
    .filter((row) => threads.root[row] !== NONE)
    .sort((a, b) => compareInt64(threads.idHi[a], threads.idLo[a], threads.idHi[b], threads.idLo[b]));
  for (const thread of threadOrder) {
    const root = threads.root[thread];
    writer.line(`T\t${int64Text(threads.idHi[thread], threads.idLo[thread])}\t${values(root)}`);
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

/** All frames, sorted by method id, line and BCI. */
function framesInOrder({ frames, methods }: LeanProfile): number[] {
  return Array.from({ length: frames.length }, (_, row) => row).sort((a, b) => {
    const methodA = frames.method[a];
    const methodB = frames.method[b];
    return (
      compareInt64(
        methods.idHi[methodA],
        methods.idLo[methodA],
        methods.idHi[methodB],
        methods.idLo[methodB],
      ) ||
      frames.line[a] - frames.line[b] ||
      frames.bci[a] - frames.bci[b]
    );
  });
}
