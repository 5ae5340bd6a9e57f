import { expect, test } from 'vitest';
import { threadFacts } from '../../../renderer/shell/thread-facts.ts';
import {
  factTable,
  listedFacts,
  MOST_FACT_ROWS,
  MOST_THREAD_ROWS,
} from '../../../shared/facts/format-facts.ts';

const TEXT = (name: string): { name: string; kind: 'text' } => ({ name, kind: 'text' });

test('states and groups are those of the table of threads; threads without one have none', () => {
  const dump = factTable(
    'Threads',
    [TEXT('Thread'), TEXT('Number'), TEXT('Latest state')],
    [
      ['main', '1', 'RUNNABLE'],
      ['pool-1', '2', 'WAITING'],
      ['pool-2', '3', 'BLOCKED'],
      ['pool-3', '4', 'RUNNABLE'],
      ['GC', '5', undefined],
    ],
  );
  const facts = threadFacts([factTable('States', [TEXT('State')], [['RUNNABLE']]), dump]);
  expect(
    [['main'], ['GC'], ['pool-1', 'pool-2'], ['pool-1', 'pool-2', 'pool-3'], ['not there']].map(facts),
  ).toEqual([['RUNNABLE'], [], ['WAITING, BLOCKED'], ['WAITING and 2 others'], []]);
  const hprof = factTable('Threads', [TEXT('Thread'), TEXT('Group')], [['main', 'system']]);
  expect(threadFacts([hprof])(['main'])).toEqual(['group system']);
  const jfr = factTable('Threads', [TEXT('Thread'), TEXT('States')], [['main', 'Runnable, Sleeping']]);
  expect(threadFacts([jfr])(['main'])).toEqual(['Runnable, Sleeping']);
  expect(threadFacts([])(['main'])).toEqual([]);
  expect(threadFacts([factTable('Threads', [TEXT('Group')], [['main']])])(['main'])).toEqual([]);
});

test('a table of threads has more rows than are listed with the details of a log', () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => [`worker-${at}`, 'pool']);
  const table = factTable('Threads', [TEXT('Thread'), TEXT('Group')], rows, MOST_THREAD_ROWS);
  expect(threadFacts([table])(['worker-1999'])).toEqual(['group pool']);
  const listed = listedFacts(table);
  expect(listed.rows).toHaveLength(MOST_FACT_ROWS);
  expect(listed.rows.length + listed.leftOut).toBe(3_000);
});
