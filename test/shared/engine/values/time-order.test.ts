import { expect, test } from 'vitest';
import { SampleTable } from '../../../../shared/profile/sample-table.ts';
import { TimeOrder } from '../../../../shared/engine/values/time-order.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { seed, randomFor } = testSeed('time-order');

function rowsOf(order: TimeOrder): number[] {
  return Array.from({ length: order.length }, (_, place) => order.rowAt(place));
}

test('a table in the order of time needs no order of its own', () => {
  const table = new SampleTable();
  const order = new TimeOrder();
  for (const at of [0, 4, 4, 9]) {
    table.append(at, 0, 0);
    order.update(table);
  }
  expect([order.order, rowsOf(order)]).toEqual([undefined, [0, 1, 2, 3]]);
  table.append(5, 0, 0);
  order.update(table);
  expect(rowsOf(order)).toEqual([0, 1, 2, 4, 3]);
});

test('random tables that grow, with samples that are taken back, are in the order of a stable sort', () => {
  for (let scenario = 0; scenario < 300; scenario++) {
    const random = randomFor(scenario);
    const table = new SampleTable();
    const order = new TimeOrder();
    const times: number[] = [];
    let clock = 0;
    // How often a clock goes backwards: never, now and then, or any order.
    const backwards = random.pick([0, 0.1, 1]);
    for (let step = 0; step < 8; step++) {
      table.truncate(table.finalLength);
      times.length = table.length;
      const before = table.length;
      for (let added = random.below(20); added > 0; added--) {
        clock += random.below(5);
        const at = random.next() < backwards ? random.below(clock + 1) : clock;
        table.append(at, 0, 0);
        times.push(at);
      }
      table.provisional = random.below(Math.min(3, table.length - before) + 1);
      if (random.below(3) === 0) continue;
      order.update(table);
      const expected = times.map((_, row) => row).toSorted((a, b) => times[a] - times[b]);
      expect(rowsOf(order), `SEED=${seed} scenario ${scenario}`).toEqual(expected);
    }
  }
});

/** Kinds of order: the time of a row of so many. */
const ORDERS: Readonly<
  Record<string, (row: number, rows: number, below: (most: number) => number) => number>
> = {
  'a little out of place': (row, _rows, below) => row * 10 + below(150),
  'far out of place, now and then': (row, rows, below) => (below(20) === 0 ? below(rows * 10) : row * 10),
  'one thread after another': (row, rows) => row % Math.ceil(rows / 7),
  backwards: (row, rows) => rows - row,
  'few distinct times': (_row, _rows, below) => below(3),
  any: (_row, rows, below) => below(rows),
};

test.each(Object.keys(ORDERS))('long tables are in the order of a stable sort: %s', (kind) => {
  for (let scenario = 0; scenario < 20; scenario++) {
    const random = randomFor(1_000 + scenario);
    const rows = random.below(1_500);
    const table = new SampleTable();
    const times: number[] = [];
    for (let row = 0; row < rows; row++) {
      times.push(ORDERS[kind](row, rows, (most) => random.below(most)));
      table.append(times[row], 0, 0);
    }
    const order = new TimeOrder();
    order.update(table);
    const expected = times.map((_, row) => row).toSorted((a, b) => times[a] - times[b]);
    expect(rowsOf(order), `SEED=${seed} scenario ${scenario}`).toEqual(expected);
  }
});

test('what is out of order costs four bytes a sample, and little beyond, while a table grows', () => {
  const table = new SampleTable();
  const order = new TimeOrder();
  for (let row = 0; row < 30_000; row++) {
    table.append(row ^ 1, 0, 0);
    if (row % 100 !== 0) continue;
    order.update(table);
    expect((order.order?.length ?? 0) - order.length).toBeLessThanOrEqual(order.length / 16);
  }
  expect(order.order!.length - order.length).toBeLessThanOrEqual(4096);
  const whole = new TimeOrder();
  whole.update(table);
  expect(whole.order!.length).toBe(table.length);
});
