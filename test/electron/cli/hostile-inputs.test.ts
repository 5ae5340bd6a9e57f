import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openPieces } from '../../../electron/source/read-bytes.ts';
import { formatOf } from '../../../shared/formats/formats.ts';
import { hprofFile, hprofRecords } from '../../support/hprof-bytes.ts';
import { goldenLog } from '../../support/read-log.ts';
import { decodeInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { heapProfile } from '../../support/small-pprof.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { missingFile, testUnless } from '../../support/test-unless.ts';

/** What `summary` says about an input on standard input. */
async function summaryOf(stdin: Uint8Array) {
  const { status, stdout, stderr } = await runCli(['summary', '-', '--json'], { stdin });
  expect(stderr).not.toContain('internal error');
  return {
    status,
    stderr,
    summary: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>),
  };
}

test('B01: an empty file says that it is empty', async () => {
  for (const stdin of [new Uint8Array(0), gzipSync('')]) {
    expect(await summaryOf(stdin)).toEqual({
      status: 1,
      stderr:
        'standard input: not a supported profile: this is an empty file; open a profile that has been written to\n',
      summary: undefined,
    });
  }
});

test('B02: a file of one byte, whichever, is one line and no crash', async () => {
  for (let byte = 0; byte < 256; byte++) {
    const { status, stderr } = await summaryOf(Uint8Array.of(byte));
    if (status !== 0)
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^standard input: [^\n]+; [^\n]+\n$/)]);
  }
});

test('B03: what is no profile says what it looks like', async () => {
  for (const [head, guess] of [
    [Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /image/],
    [Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'), /program/],
    [Buffer.from('Dear diary,\n'), /plain text/],
    [zipSync({ 'README.md': Buffer.from('hello\n') }), /ZIP archive without a profile/],
  ] as const) {
    const { status, stderr } = await summaryOf(head);
    expect([status, stderr]).toEqual([1, expect.stringMatching(guess)]);
  }
});

test('B03: a compressed font, which begins like a record and unpacks to its first byte at first, is no profile', async () => {
  // The codes of so many different bytes take up the first 64 bytes of the compressed data.
  const glyphs = Uint8Array.from({ length: 6_000 }, (_, at) => (7 * at * at) >>> 7);
  const { status, stderr } = await summaryOf(gzipSync(Buffer.concat([Buffer.from('\x01fcp'), glyphs])));
  expect([status, stderr]).toEqual([
    1,
    'standard input: not a supported profile: this looks like binary data; open a JFR recording, an Honest Profiler log (.hpl) or another supported profile\n',
  ]);
});

test('B18: gzip that is cut keeps what it still holds, and members one after the other are one input', async () => {
  const log = goldenLog('hello');
  const packed = gzipSync(log);
  const cut = await summaryOf(packed.subarray(0, packed.length - 100));
  expect(cut.status).toBe(3);
  expect(cut.stderr).toMatch(/^standard input: gzip data at byte \d+ .*; read [\d.]+ % of the file\n$/);
  expect(cut.summary?.samples).toBeGreaterThan(30);
  const members = await summaryOf(
    Buffer.concat([gzipSync(log.subarray(0, 9_999)), gzipSync(log.subarray(9_999))]),
  );
  expect([members.status, members.summary?.samples]).toEqual([0, 37]);
});

test('B19: an archive within an archive is not opened', async () => {
  const inner = zipSync({ 'app.hpl': goldenLog('hello') });
  const { status, stderr } = await summaryOf(zipSync({ 'inner.zip': inner }));
  expect([status, stderr]).toEqual([1, expect.stringMatching(/ZIP archive without a profile/)]);
});

test.each([0, 3, 5, 16, 255, 2 ** 32 - 1])(
  'B20: hprof with identifiers of %i bytes is refused',
  async (idSize) => {
    const { status, summary } = await summaryOf(hprofFile({ idSize }, hprofRecords(4).string(1, 'a')));
    expect([0, 1, 3]).toContain(status);
    expect(summary?.samples ?? 0).toBe(0);
    if (status === 0) expect(summary?.acceptedBytes).toBe(summary?.bytes);
  },
);

test.each([
  ['0', 0],
  ['more than there is', 1_000],
  ['2^31', 2 ** 31],
  ['2^32 - 1', 2 ** 32 - 1],
])(
  'B20: an hprof record whose length is %s costs nothing, and what is before it stays',
  async (_, length) => {
    const { string, loadClass, frame, trace, cpuSamples } = hprofRecords(4);
    const valid = hprofFile(
      {},
      string(1, 'run'),
      string(2, 'Shop'),
      loadClass(1, 2),
      frame(1, 1, 1, 1, 10),
      trace(1, 0, 1),
      cpuSamples(3, [3, 1]),
    );
    const record = Buffer.alloc(9 + 40);
    record[0] = 0x0c;
    record.writeUInt32BE(length, 5);
    const before = process.memoryUsage().arrayBuffers;
    const { status, summary } = await summaryOf(Buffer.concat([valid, record]));
    expect([0, 3]).toContain(status);
    expect(summary).toMatchObject({ format: 'hprof', bytes: valid.length + record.length });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 26);
  },
);

test.each([
  ['a number of eleven bytes', Buffer.from([0x48, ...Array<number>(10).fill(0xff), 0x01])],
  ['a length beyond the end', Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f])],
  ['a length of 2^63', Buffer.from([0x12, ...Array<number>(9).fill(0xff), 0x01])],
  ['a hundred thousand groups within each other', Buffer.alloc(100_000, 0x0b)],
])('B21: protocol buffers with %s: what is before it stays', (_, hostile) => {
  const whole = decodeInput(formatOf('pprof'), heapProfile());
  const { aggregator, decoder } = decodeInput(formatOf('pprof'), Buffer.concat([heapProfile(), hostile]));
  expect(aggregator.sampleCount).toBe(whole.aggregator.sampleCount);
  expect(decoder.damage?.byteOffset).toBeGreaterThanOrEqual(heapProfile().length);
  expect(decoder.bytes.accepted).toBe(heapProfile().length);
});

test('B22: a file that shrinks while it is read ends where it ends now', async () => {
  const path = join(temporaryFolder(), 'shrinks.hpl');
  writeFileSync(path, Buffer.alloc(1 << 20, 1));
  let received = 0;
  for await (const bytes of openPieces(path).pieces) {
    received += bytes.length;
    if (received === 1 << 18) truncateSync(path, (1 << 18) + 10);
  }
  expect(received).toBe((1 << 18) + 10);
});

// The memory of this process has no page at address 0.
testUnless(missingFile('/proc/self/mem'))(
  'B23: an error of the disk is one line with what to do',
  async () => {
    const { status, stdout, stderr } = await runCli(['summary', '/proc/self/mem']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe('/proc/self/mem: could not be read (EIO); check the disk or the network drive\n');
  },
);
