import { expect, test } from 'vitest';
import { rowsToMove } from '../../../../shared/engine/views/sort-order.ts';
import { testSeed } from '../../../support/test-seed.ts';

test('one row that rose above all others is one that has to move', () => {
  expect([
    rowsToMove([], []),
    rowsToMove([3, 1, 2], [3, 1, 2]),
    rowsToMove([1, 2, 3, 4], [4, 1, 2, 3]),
    rowsToMove([1, 2, 3, 4], [2, 1, 4, 3]),
    rowsToMove([1, 2, 3, 4], [4, 3, 2, 1]),
  ]).toEqual([0, 0, 1, 2, 3]);
});

/** All orders that are reached from `rows` by moving one of them. */
function neighbours(rows: readonly number[]): number[][] {
  return rows.flatMap((row, from) => rows.map((_, to) => rows.toSpliced(from, 1).toSpliced(to, 0, row)));
}

/** By trying all moves, one after the other. */
function fewestMoves(rows: readonly number[], sorted: readonly number[]): number {
  const goal = sorted.join();
  let reached = new Set([rows.join()]);
  for (let moves = 0; ; moves++) {
    if (reached.has(goal)) return moves;
    reached = new Set(
      [...reached].flatMap((text) => neighbours(text.split(',').map(Number)).map((each) => each.join())),
    );
  }
}

const { randomFor } = testSeed('rows to move');

test('it is the fewest moves of random orders', () => {
  const random = randomFor(0);
  for (let round = 0; round < 40; round++) {
    const sorted = [10, 20, 30, 40, 50];
    const rows = [...sorted].sort(() => random.below(3) - 1);
    expect(rowsToMove(rows, sorted), rows.join()).toBe(fewestMoves(rows, sorted));
  }
});
