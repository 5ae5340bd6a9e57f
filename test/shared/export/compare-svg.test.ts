import { expect, test } from 'vitest';
import { comparisonOf } from '../../support/comparison-of.ts';
import { COLLAPSED } from '../../../shared/formats/collapsed/format.ts';
import { writeComparedCsv } from '../../../shared/export/compare-csv.ts';
import { writeComparedSvg } from '../../../shared/export/compare-svg.ts';
import { type ComparisonInput, WrittenComparison } from '../../../shared/export/written-comparison.ts';
import { SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { decodeInput } from '../../support/read-input.ts';

/** Files of a comparison of two profiles, each given as collapsed stacks. */
function written(
  stacks: readonly [base: string, next: string],
  changes: Partial<ComparisonInput>,
): (format: 'csv' | 'svg') => string {
  const [base, next] = stacks.map((text) => decodeInput(COLLAPSED, new TextEncoder().encode(text)).profile);
  const comparison = new WrittenComparison({
    comparison: comparisonOf(base, next, { threads: 'all', frames: 'fqmn' }),
    // Those of the base.
    units: SAMPLES_ONLY,
    isSampled: true,
    ranges: { base: undefined, next: undefined },
    title: '',
    names: { base: 'old', next: 'new' },
    metric: 'samples',
    filter: KEEP_ALL,
    recursion: 'once',
    by: 'share',
    seconds: undefined,
    notes: [],
    root: () => undefined,
    theme: 'light',
    orientation: 'flame',
    width: 1000,
    ...changes,
  });
  return (format) => {
    const pieces: (string | Uint8Array)[] = [];
    (format === 'csv' ? writeComparedCsv : writeComparedSvg)(comparison, (piece) => pieces.push(piece));
    return pieces.join('');
  };
}

test.each([true, false])(
  'a picture says what the table says: differences are subject to chance only if both sides count samples: %s',
  (isSampled) => {
    const textOf = written(['A.a 50\nB.b 50\n', 'A.a 55\nB.b 45\n'], { isSampled });
    const [csv, svg] = [textOf('csv'), textOf('svg')];
    expect(csv).toContain(isSampled ? ',chance' : ',exact');
    expect(svg.includes('chance explains the difference (95 % interval)')).toBe(isSampled);
    expect(svg.includes('>+ A.a</text>')).toBe(!isSampled);
  },
);

test.each([
  ['share', '\u2212 A.a', '\u221225.00 points', '+ B.b', '+25.00 points', 'share', 0.75 / 1.25],
  ['amount', 'A.a', '0 samples', '+ B.b', '+200 samples', 'amount', 200 / 400],
  ['rate', '\u2212 A.a', '\u221275 /s', '\u2212 B.b', '\u221225 /s', 'amount per second', 125 / 175],
] as const)('frames are compared by %s, as in the panes', (by, a, changeOfA, b, changeOfB, legend, ratio) => {
  const stacks = ['A.a 100\nB.b 100\n', 'A.a 100\nB.b 300\n'] as const;
  const svg = written(stacks, { by, seconds: { base: 1, next: 4 } })('svg');
  expect(svg).toContain(`Red +: a larger ${legend} than in the base.`);
  expect(svg).toContain(`Flame graph by samples.`);
  for (const [label, change] of [
    [a, changeOfA],
    [b, changeOfB],
  ]) {
    const frame = svg.split('<g>').find((each) => each.includes(`>${label}</text>`));
    expect(frame, label).toContain(`&#10;${change}`);
  }
  const widthOf = (name: string): number =>
    Number(new RegExp(`<title>${name}&#10;[^]*?width="([\\d.]+)"`).exec(svg)![1]);
  expect(widthOf('A.a') / widthOf('B.b')).toBeCloseTo(ratio, 2);
});

test('a table has the ranges of both profiles if there is one, and what is left out of them', () => {
  const textOf = (ranges: Partial<ComparisonInput['ranges']>): readonly string[] =>
    written(['A.a 5\n', 'A.a 5\n'], { ranges: { base: undefined, next: undefined, ...ranges } })('csv')
      .split('\r\n')
      .slice(0, 2)
      .map((line) => line.split(/,"Total change"|,chance/).at(-1)!);
  expect(textOf({})).toEqual(['', '']);
  expect(textOf({ base: { from: undefined, to: 10n } })).toEqual([
    ',"Base from ns","Base to ns","New from ns","New to ns"',
    ',,10,,',
  ]);
  expect(textOf({ next: { from: -1n, to: 9n, except: { from: 2n, to: undefined } } })).toEqual([
    ',"Base from ns","Base to ns","New from ns","New to ns","New without from ns","New without to ns"',
    ',,,-1,9,2,',
  ]);
});
