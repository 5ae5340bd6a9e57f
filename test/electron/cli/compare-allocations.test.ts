import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import type { EventName } from '../../support/jfr-writer/jfr-types.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A recording of so many allocations and waits of each method. */
function recording(counts: Readonly<Record<string, number>>): Uint8Array {
  const events: readonly EventName[] = [
    'jdk.ExecutionSample',
    'jdk.ObjectAllocationSample',
    'jdk.JavaMonitorEnter',
  ];
  const chunk = new JfrChunk(events);
  const thread = chunk.thread('main', 1);
  const [state, klass] = [chunk.state('STATE_RUNNABLE'), chunk.class('[B')];
  for (const [name, count] of Object.entries(counts)) {
    const stack = chunk.stack([{ method: chunk.method('Shop', name), line: 3, bci: 0, type: 'Inlined' }]);
    for (let at = 0; at < count; at++) {
      chunk.event('jdk.ExecutionSample', 2_000 + at, thread, stack, state);
      chunk.event('jdk.ObjectAllocationSample', 2_000 + at, thread, stack, klass, 64);
      chunk.event('jdk.JavaMonitorEnter', 2_000 + at, 5_000, thread, stack, klass);
    }
  }
  return chunk.finish();
}

async function compared(type: string, ...options: readonly string[]): ReturnType<typeof runCli> {
  const folder = temporaryFolder();
  const paths = ['base.jfr', 'new.jfr'].map((name) => join(folder, name));
  writeFileSync(paths[0], recording({ pay: 300, add: 700, log: 20 }));
  writeFileSync(paths[1], recording({ pay: 600, add: 400, log: 21 }));
  const chosen = ['--choose', `sample-type=${type}`, ...(type === 'cpu' ? [] : ['--choose', 'classes=off'])];
  return runCli(['compare', ...paths, ...chosen, ...options]);
}

const SAID = /Allocation samples are not independent of each other: two runs of one program differ by more/;

test('a report of allocations says that each change may be chance, and has no interval', async () => {
  const report = (await compared('alloc', '--format', 'report')).stdout;
  expect(report).toMatch(SAID);
  expect(report).not.toContain('Listed are changes that chance does not explain');
  expect(report).toMatch(/\+29\.35\s+unknown\s+300\s+600\s+Shop\.pay/);
  expect(report).not.toContain('Shop.log');
  const samples = (await compared('cpu', '--format', 'report')).stdout;
  expect(samples).not.toMatch(/not independent|unknown/);
  expect(samples).toContain('Listed are changes that chance does not explain');
  const waits = (await compared('lock', '--format', 'report')).stdout;
  expect(waits).toMatch(/Waits are not independent of each other/);
  expect(waits).not.toContain('exact');
});

test('the table and the pages mark such changes', async () => {
  const rows = (await compared('alloc', '--format', 'csv')).stdout.split('\r\n');
  const marks = (name: string): string | undefined =>
    rows
      .find((row) => row.startsWith(`"${name}"`) || row.startsWith(name))
      ?.match(/real|chance|unknown|exact/)?.[0];
  expect([marks('Shop.pay'), marks('Shop.log')]).toEqual(['unknown', 'chance']);
  for (const format of ['svg', 'report-html']) {
    const page = (await compared('alloc', '--format', format)).stdout;
    expect(page).toMatch(SAID);
    expect(page).toContain('allocation samples are not independent of each other: it may be chance');
  }
  expect((await compared('cpu', '--format', 'svg')).stdout).not.toContain('not independent');
});

test('a gate on allocations says how far it can be trusted, whether it fails or not', async () => {
  const fails = await compared('alloc', '--fail-above', '5');
  expect(fails.status).toBe(4);
  expect(fails.stderr).toMatch(/--fail-above: Allocation samples are not independent of each other/);
  expect(fails.stderr).toMatch(/share of Shop\.pay grew by 29\.35 points: .*, which may be chance/);
  const passes = await compared('alloc', '--fail-above', '50');
  expect([passes.status, passes.stderr.split('\n').length]).toEqual([0, 2]);
  const samples = await compared('cpu', '--fail-above', '5');
  expect(samples.stderr).not.toContain('not independent');
});

test('a summary of allocations promises no interval', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'base.jfr');
  writeFileSync(path, recording({ pay: 300 }));
  const summary = async (type: string): Promise<string> =>
    (await runCli(['summary', path, '--choose', `sample-type=${type}`])).stdout;
  expect(await summary('cpu')).toContain('a share of 50 % is known to');
  expect(await summary('alloc')).not.toContain('is known to');
});
