import { expect, test } from 'vitest';
import { CallTree } from '../../../../shared/engine/trees/call-tree.ts';
import { FlameMeasures } from '../../../../shared/engine/views/flame-measures.ts';
import { MaskedValues } from '../../../../shared/engine/values/masked-values.ts';
import type { Metric } from '../../../../shared/engine/values/metric.ts';
import { RowSums } from '../../../../shared/engine/values/row-sums.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const STACKS = `
  main  main  main  main  main  main  main  main
  S.m   S.m   S.m   S.m   S.m   S.m   S.m   S.m
  S.a   S.b   S.c   S.d   S.e   S.f   S.g   S.h
`;

test('a frame that loses its only sample to a sibling is one less above, though nothing weighs less there', () => {
  const { profile } = profileFromText(STACKS);
  const tree = new CallTree(profile, { threads: 'all', frames: 'fqmn' });
  const sums = new RowSums(tree, profile.selfValues);
  const measures = new FlameMeasures(sums, 'samples');
  const shown = (): string =>
    Array.from({ length: tree.length }, (_, row) =>
      [tree.label(row), measures.weights[row], measures.sizes[row], measures.heights[row]].join(' '),
    ).join(', ');
  tree.update();
  sums.update();
  measures.update();
  expect(shown()).toBe(
    'All Threads 8 10 3, S.m 8 9 2, S.a 1 1 1, S.b 1 1 1, S.c 1 1 1, S.d 1 1 1, S.e 1 1 1, S.f 1 1 1, S.g 1 1 1, S.h 1 1 1',
  );
  profile.selfValues.add(0, -1, 0);
  profile.selfValues.add(1, 1, 0);
  tree.update();
  sums.update();
  measures.update();
  expect(sums.changed).toEqual([2, 3]);
  expect(shown()).toBe(
    'All Threads 8 9 3, S.m 8 8 2, S.a 0 0 0, S.b 2 1 1, S.c 1 1 1, S.d 1 1 1, S.e 1 1 1, S.f 1 1 1, S.g 1 1 1, S.h 1 1 1',
  );
});

test('other values are measured in the same memory', () => {
  const { profile } = profileFromText(STACKS);
  const tree = new CallTree(profile, { threads: 'all', frames: 'fqmn' });
  tree.update();
  const sums = new RowSums(tree, profile.selfValues);
  const measures = new FlameMeasures(sums, 'samples');
  const buffers = (): readonly ArrayBuffer[] => {
    sums.update();
    measures.update();
    return [measures.weights, measures.sizes, measures.heights].map(({ buffer }) => buffer);
  };
  const before = buffers();
  const half = new MaskedValues(profile.selfValues);
  half.update(Uint8Array.of(1, 1, 1, 1));
  sums.values = half;
  buffers().forEach((buffer, at) => expect(buffer).toBe(before[at]));
  expect([measures.weights[1], measures.sizes[1]]).toEqual([4, 5]);
});

test('only an update that changed a weight is counted: not one of rows without samples, nor one of nothing', () => {
  const { profile } = profileFromText(STACKS);
  const tree = new CallTree(profile, { threads: 'all', frames: 'fqmn' });
  const sums = new RowSums(tree, profile.selfValues);
  const measures = ['samples', 'time'].map((metric) => new FlameMeasures(sums, metric as Metric));
  const changes = (): readonly number[] => {
    tree.update();
    sums.update();
    for (const each of measures) each.update();
    return measures.map((each) => each.changes);
  };
  expect(changes()).toEqual([1, 1]);
  expect(changes()).toEqual([1, 1]);
  profile.nodes.append(2, profile.nodes.frame[3]);
  expect(changes()).toEqual([1, 1]);
  expect(measures.map(({ weights }) => weights[tree.length - 1])).toEqual([0, 0]);
  profile.selfValues.add(0, 1, 5);
  expect(changes()).toEqual([2, 2]);
});
