import { expect, test } from 'vitest';
import { ChangeJournal } from '../../../shared/aggregate/change-journal.ts';

function journal(...revisions: readonly (readonly number[])[]): ChangeJournal {
  const made = new ChangeJournal();
  for (const rows of revisions) {
    for (const row of rows) made.note(row);
    made.seal();
  }
  return made;
}

const since = (from: ChangeJournal, revision: number, limit = 1_000): number[] =>
  [...from.since(revision, limit)].sort((a, b) => a - b);

test('rows changed since a revision, each once, below a limit', () => {
  const changes = journal([3, 7, 3], [7, 9], [], [3]);
  changes.note(500);
  expect([0, 1, 2, 3, 4].map((revision) => since(changes, revision))).toEqual([
    [3, 7, 9, 500],
    [3, 7, 9, 500],
    [3, 500],
    [3, 500],
    [500],
  ]);
  expect(since(changes, 0, 9)).toEqual([3, 7]);
  expect([0, 4].map((revision) => changes.changedSince(revision))).toEqual([true, true]);
});

test('what is forgotten is out of reach, and the rest is as it was', () => {
  const changes = journal([3, 7], [7, 9], [3], [2_000]);
  changes.forgetBefore(2);
  expect([1, 2].map((revision) => changes.reachesBackTo(revision))).toEqual([false, true]);
  expect(since(changes, 2, 5_000)).toEqual([3, 2_000]);
  changes.note(9);
  expect(since(changes, 3, 5_000)).toEqual([9, 2_000]);
  changes.forgetBefore(100);
  expect(changes.revision).toBe(4);
  expect(since(changes, 4, 5_000)).toEqual([9]);
});
