import { type LeanProfile, sumTotals } from '../../shared/profile/lean-profile.ts';
import { NO_LINE } from '../../shared/profile/frame-table.ts';

/** A node as SkyWalking's analyser prints it: durations in ms. */
export interface SignatureTree {
  readonly code: string;
  readonly count: number;
  readonly duration: number;
  readonly durationChildExcluded: number;
  readonly children?: readonly SignatureTree[];
}

/** The trees of each thread, by the thread's name; children and trees sorted by code. */
export function signatureTrees(profile: LeanProfile): Record<string, SignatureTree[]> {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const totals = sumTotals(profile);
  const below = new Map<number, SignatureTree[]>();
  for (let node = nodes.length - 1; node >= 0; node--) {
    if (nodes.isRoot(node)) continue;
    const frame = nodes.frame[node];
    const names = methods.names[frames.method[frame]];
    if (names === undefined) throw new Error('a frame without a method');
    const method = names.className === '' ? names.methodName : `${names.className}.${names.methodName}`;
    const line = frames.line[frame];
    const self = selfValues.find(node);
    const children = below.get(node);
    const tree: SignatureTree = {
      code: line === NO_LINE ? method : `${method}:${line}`,
      count: totals.count[node],
      duration: Number(totals.time.exact(node)) / 1e6,
      durationChildExcluded: self < 0 ? 0 : Number(selfValues.time.exact(self)) / 1e6,
      ...(children === undefined ? {} : { children: byCode(children) }),
    };
    below.set(nodes.parent[node], [...(below.get(nodes.parent[node]) ?? []), tree]);
  }
  const trees: Record<string, SignatureTree[]> = {};
  for (let thread = 0; thread < threads.length; thread++)
    trees[threads.name[thread] ?? ''] = byCode(below.get(threads.root[thread]) ?? []);
  return trees;
}

export function byCode(trees: readonly SignatureTree[]): SignatureTree[] {
  return [...trees].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** `code count duration:durationChildExcluded` of each node, parents first. */
export function treeText(trees: readonly SignatureTree[]): string {
  return trees
    .map(({ code, count, duration, durationChildExcluded, children }) =>
      [`${code} ${count} ${duration}:${durationChildExcluded}`, treeText(children ?? [])]
        .filter((text) => text !== '')
        .join(', '),
    )
    .join(', ');
}
