import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MeasuredRow } from './measured-row.ts';
import { measureRow } from './measure-row.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A row whose process does this when it is asked. */
function measure(script: string, longestSeconds = 30): Promise<MeasuredRow> {
  const folder = temporaryFolder();
  const program = join(folder, 'row.mjs');
  writeFileSync(program, `process.once('message', (request) => { ${script} });`);
  return measureRow('some row', { id: 'row', short: true, folder, file: undefined }, longestSeconds, program);
}

test('a row is asked in its own process, and its outcome is passed on', async () => {
  const row = await measure(
    'process.send({ figures: [{ id: request.id, value: 1 }] }, () => process.exit())',
  );
  expect(row).toMatchObject({
    id: 'row',
    what: 'some row',
    outcome: { figures: [{ id: 'row', value: 1 }] },
  });
});

test('a row that ends without a figure is told', async () => {
  expect((await measure('process.exit(7)')).outcome).toEqual({
    problem: 'ended with 7 before it had a figure',
  });
});

test('a row that hangs is ended', async () => {
  expect((await measure('setInterval(() => {}, 1000)', 0.3)).outcome).toEqual({
    problem: 'still running after 0.3 s',
  });
});
