import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_EXPORTED_BYTES } from '../../../shared/export/export-input.ts';
import { runCli } from '../../support/run-cli.ts';

const FRAMES = 3200;
const NAME_LENGTH = 240;

let folder = '';
let nested = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leanscope-budget-'));
  nested = join(folder, 'nested.speedscope.json');
  writeFileSync(nested, nestedProfile());
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Frames that are open within one another: 0.9 MB, and each has a stack of its own, 1.2 GB together. */
function nestedProfile(): string {
  const frames = Array.from({ length: FRAMES }, (_, at) => ({ name: `a${at}`.padEnd(NAME_LENGTH, 'x') }));
  const open = frames.map((_, frame) => ({ type: 'O', frame, at: frame }));
  const close = open.map(({ frame }) => ({ type: 'C', frame, at: 2 * FRAMES - frame })).reverse();
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames },
    profiles: [
      {
        type: 'evented',
        name: 'nested',
        unit: 'milliseconds',
        startValue: 0,
        endValue: 2 * FRAMES,
        events: [...open, ...close],
      },
    ],
  });
}

async function exported(...options: readonly string[]) {
  let bytes = 0;
  let end = '';
  const { status, stderr } = await runCli(['export', nested, ...options], {
    stdout: (piece) => {
      bytes += piece.length;
      end = String(piece.at(-1));
    },
  });
  return { status, stderr, bytes, end };
}

test('a small file is not written as gigabytes, unless it is asked for', async () => {
  const cut = await exported('--format', 'collapsed', '--metric', 'time');
  expect(cut.status).toBe(3);
  expect(cut.bytes).toBeLessThanOrEqual(MOST_EXPORTED_BYTES);
  expect(cut.bytes).toBeGreaterThan(0.9 * MOST_EXPORTED_BYTES);
  expect(cut.end).toBe('\n');
  expect(cut.stderr).toMatch(
    /nested\.speedscope\.json: stopped at the limit of 1\.0 GB, at [\d.]+ % of it; .*--no-limit/,
  );
  const whole = await exported('--format', 'collapsed', '--metric', 'time', '--no-limit');
  expect([whole.status, whole.stderr]).toEqual([0, '']);
  expect(whole.bytes).toBeGreaterThan((FRAMES * FRAMES * NAME_LENGTH) / 2);
});
