import { expect, test } from 'vitest';
import type { HeatmapColumns } from '../../../shared/engine/views/heatmap-columns.ts';
import {
  Driven,
  FLAT,
  type Handled,
  LOG,
  move,
  rowsOf,
  scoped,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';

const HEATMAP: Handled = {
  type: 'timeline',
  view: { zoom: undefined, buckets: 100 },
  heatmap: { fit: 1_000 },
};
const columnsOf = (driven: Driven): HeatmapColumns => driven.last('timeline').heatmap!;
const sum = (counts: Uint32Array | undefined): number =>
  (counts ?? new Uint32Array(0)).reduce((all, count) => all + count, 0);

test('the squares have all samples in scope, whatever their time, and mark what is searched and selected', () => {
  const driven = wholeLog(FLAT, HEATMAP);
  const all = columnsOf(driven);
  expect([sum(all.samples), all.matches, all.selected]).toEqual([1_553, undefined, undefined]);
  driven.ask(
    scoped({ range: { kind: 'between', from: String(BigInt(all.first) + 1_000_000_000n), to: undefined } }),
  );
  expect(columnsOf(driven)).toEqual(all);
  driven.ask(view('regex'));
  expect(sum(columnsOf(driven).matches)).toBe(driven.last('search').samples);
  driven.ask(scoped({ transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] }));
  const { samples, outside } = driven.last('summary').summary;
  expect(sum(columnsOf(driven).samples)).toBe(samples - outside.samples);
  driven.ask(scoped({}, 'fqmn', true));
  expect(sum(columnsOf(driven).samples)).toBe(1_553 - driven.last('summary').summary.hidden.samples);
  driven.ask(scoped({}), rowsOf('flat', 0, 5_000));
  const { id, label, kind, totalCount } = driven.shown('flat').rows.find((row) => row.kind === 'frame')!;
  driven.ask({ type: 'select', selection: { of: 'methods', id, label, kind }, turn: 1 });
  expect(sum(columnsOf(driven).selected)).toBe(totalCount);
});

test('they are not counted again for another range, nor for each of the methods that are selected in a row', () => {
  const driven = wholeLog(FLAT, HEATMAP, rowsOf('flat', 0, 5_000));
  const counted = (): number => driven.events.filter(({ type }) => type === 'timeline').length;
  const answered = (): number => driven.events.filter(({ type }) => type === 'selected').length;
  const first = BigInt(columnsOf(driven).first);
  const before = counted();
  for (let step = 0; step < 5; step++)
    driven.ask(
      scoped({ range: { kind: 'between', from: String(first + BigInt(step * 100_000_000)), to: undefined } }),
    );
  expect(counted()).toBe(before);
  const answers = answered();
  for (let step = 0; step < 5; step++) driven.mirror.handle(move('flat', 'down'));
  expect([answered() - answers, counted()]).toEqual([5, before]);
  driven.ask();
  expect(counted()).toBe(before + 1);
  const selected = driven.last('selected').selection;
  driven.ask(scoped({}), rowsOf('flat', 0, 5_000));
  const row = driven.shown('flat').rows.find(({ id }) => id === selected?.id);
  expect(sum(columnsOf(driven).selected)).toBe(row?.totalCount);
  // Closed and opened again, it has nothing to show until it is sent.
  driven.ask({ type: 'timeline', view: undefined });
  driven.ask(HEATMAP);
  expect(counted()).toBe(before + 2);
});

test('of a log that grows they are those of the log that is read at once', () => {
  const log = new FollowedLog();
  const driven = new Driven(HEATMAP);
  for (let at = 0; at < LOG.length; at += 100_000) {
    log.append(LOG.subarray(at, at + 100_000), at + 100_000 >= LOG.length);
    driven.ask({ type: 'delta', message: log.delta() });
    expect(sum(columnsOf(driven).samples)).toBe(log.aggregator.profile.samples!.length);
  }
  expect(columnsOf(driven)).toEqual(columnsOf(wholeLog(HEATMAP)));
});
