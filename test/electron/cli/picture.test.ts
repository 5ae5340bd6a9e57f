import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

const SHOP = 'assets/shop.jfr.gz';

/** Whether resvg is looked for where it is not. */
const absent = vi.hoisted(() => ({ isAbsent: false }));
vi.mock('node:module', async (original) => {
  const actual = await original<typeof import('node:module')>();
  return {
    ...(actual as object),
    createRequire: (url: string) => {
      if (absent.isAbsent) throw new Error('Cannot find module');
      return actual.createRequire(url);
    },
  };
});
afterEach(() => (absent.isAbsent = false));

const whereDrawn = testUnless(isInstalled() ? undefined : 'resvg is not installed');

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@resvg/resvg-js');
    return true;
  } catch {
    return false;
  }
}

async function pictureOf(...options: readonly string[]) {
  const pieces: Uint8Array[] = [];
  const { status, stderr } = await runCli(['export', SHOP, '--format', 'png', ...options], {
    stdout: (piece) => void pieces.push(piece as Uint8Array),
  });
  const png = Buffer.concat(pieces);
  const isPng = png.subarray(0, 8).equals(Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'));
  return {
    status,
    stderr,
    isPng,
    png,
    width: isPng ? png.readUInt32BE(16) : 0,
    height: isPng ? png.readUInt32BE(20) : 0,
  };
}

whereDrawn('the flame graph is a PNG, twice as wide as the drawing, or as wide as asked for', async () => {
  const { width, height, ...usual } = await pictureOf();
  expect([usual.status, usual.stderr, usual.isPng, width]).toEqual([0, '', true, 2400]);
  const narrow = await pictureOf('--width', '1000');
  expect([narrow.status, narrow.width, narrow.height]).toEqual([0, 1000, height]);
  const { stdout: svg } = await runCli(['export', SHOP, '--format', 'svg', '--embed', 'no']);
  expect(2 * Number(/ height="([\d.]+)"/.exec(svg)?.[1])).toBeCloseTo(height, -0.5);
});

whereDrawn('it shows what is asked for: another scope and theme are other pictures', async () => {
  const pictures = await Promise.all(
    [[], ['--thread', 'batch-*'], ['--theme', 'dark'], ['--icicle']].map((options) => pictureOf(...options)),
  );
  expect(pictures.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  expect(new Set(pictures.map(({ png }) => png.toString('base64'))).size).toBe(4);
});

whereDrawn('a picture that would need too much memory is refused before it is drawn', async () => {
  const path = join(temporaryFolder(), 'deep.collapsed');
  writeFileSync(path, `${Array.from({ length: 20_000 }, (_, at) => `a.b${at}`).join(';')} 1\n`);
  const { status, stderr } = await runCli(['export', path, '--format', 'png']);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /the picture would have 2400 × 7\d{5} pixels; --format svg has any size, --root draws a part\n$/,
    ),
  ]);
});

test('without resvg, a sentence says what to install, and nothing is written', async () => {
  absent.isAbsent = true;
  const { status, stderr, png } = await pictureOf();
  expect([status, png.length]).toEqual([1, 0]);
  expect(stderr).toContain(
    'pictures are drawn by resvg, which is not installed: npx -p leanscope -p @resvg/resvg-js leanscope',
  );
});
