import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ReadInput } from '../../support/read-input.ts';
import { byCode, type SignatureTree, signatureTrees } from '../../support/signature-trees.ts';

/** Queries, and what SkyWalking's analyser gave for them. */
export interface Analysis {
  readonly queries: readonly { readonly segmentId: string; readonly start: number; readonly end: number }[];
  readonly result: { readonly tip: string | null; readonly trees: readonly SignatureTree[] };
}

interface Case extends Analysis {
  readonly case: number;
  readonly dumpPeriodMs: number;
  readonly snapshots: readonly string[];
}

export function readJson(name: string): unknown {
  return JSON.parse(readFileSync(`test/golden/skywalking/${name}`, 'utf8'));
}

/** The test cases of the analyser. */
export const cases = readJson('thread-snapshot.expected.json') as readonly Case[];

export const sorted = (trees: readonly SignatureTree[]): SignatureTree[] =>
  byCode(
    trees.map((tree) => (tree.children === undefined ? tree : { ...tree, children: sorted(tree.children) })),
  );

/** Holds what is read of the nine cases against what the analyser gave for them. */
export function expectCases(read: ReadInput & { format: string }): void {
  expect(read.format).toBe('skywalking-yaml');
  const trees = signatureTrees(read.profile);
  for (const { case: number, result } of cases)
    expect({ case: number, trees: trees[`case ${number}`] }).toEqual({
      case: number,
      trees: sorted(result.trees),
    });
  const tips = cases.flatMap(({ case: number, result }) =>
    result.tip === null ? [] : [`Case ${number}: ${result.tip}`],
  );
  expect(read.decoder.facts().notes).toEqual(tips);
  expect(tips).toHaveLength(1);
}
