import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { byCode, type SignatureTree, signatureTrees } from '../../support/signature-trees.ts';
import { analyseCases } from '../../support/skywalking-cases.ts';

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

/** Compares the nine cases, in the layout of SkyWalking's own file, with what its analyser gave for them. */
export function expectCases(yaml: string): void {
  const analysed = analyseCases(yaml);
  expect(analysed.map(({ profile }) => signatureTrees(profile)['segment 1'])).toEqual(
    cases.map(({ result }) => sorted(result.trees)),
  );
  const tips = cases.map(({ result: { tip } }) => (tip === null ? [] : [tip]));
  expect(analysed.map(({ notes }) => notes)).toEqual(tips);
  expect(tips.flat()).toHaveLength(1);
}
