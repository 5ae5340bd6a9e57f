import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_LINE_BYTES } from '../../../shared/read/line-splitter.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { NOTHING_CHOSEN } from '../../../shared/facts/choice.ts';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WatchedLog } from '../../support/watched-log.ts';

const CHUNK = 1 << 16;

afterEach(() => void vi.restoreAllMocks());

/** To be called with `call`. */
function originalOf<Name extends keyof Uint8Array>(name: Name): Uint8Array[Name] {
  return Reflect.get(Uint8Array.prototype, name);
}

/** Counts the bytes that are searched or copied; see the array methods. */
function countBytes(): { searched: number; copied: number } {
  const counted = { searched: 0, copied: 0 };
  const [indexOf, lastIndexOf] = [originalOf('indexOf'), originalOf('lastIndexOf')];
  const [set, copyWithin] = [originalOf('set'), originalOf('copyWithin')];
  vi.spyOn(Uint8Array.prototype, 'indexOf').mockImplementation(function (this: Uint8Array, byte, from = 0) {
    const found = indexOf.call(this, byte, from);
    counted.searched += (found < 0 ? this.length : found) - from;
    return found;
  });
  vi.spyOn(Uint8Array.prototype, 'lastIndexOf').mockImplementation(function (this: Uint8Array, byte) {
    const found = lastIndexOf.call(this, byte);
    counted.searched += this.length - Math.max(0, found);
    return found;
  });
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, bytes, at) {
    counted.copied += bytes.length;
    set.call(this, bytes, at);
  });
  vi.spyOn(Uint8Array.prototype, 'copyWithin').mockImplementation(function (this: Uint8Array, to, from, end) {
    counted.copied += (end ?? this.length) - from;
    return copyWithin.call(this, to, from, end);
  });
  return counted;
}

/** Appends `head`, then `x` until there are `length` bytes, then `tail`. */
function readLongLine(head: string, length: number, tail: string, chunkBytes = CHUNK): ProfileReader {
  const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
  const chunk = Buffer.alloc(chunkBytes, 'x');
  void reader.push(Buffer.from(head));
  for (let left = length; left > 0; left -= chunkBytes) void reader.push(chunk.subarray(0, left));
  void reader.push(Buffer.from(tail));
  void reader.end();
  return reader;
}

const DUMP = 'Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n';
const THREAD =
  '"main" #1 prio=5 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(D.java:1)\n\n';
const HPROF =
  'JAVA PROFILE 1.0.1, created Sat Nov 22 10:00:00 2025\n\n--------\nTHREAD START (obj=1, id = 1, name="main", group="main")\n' +
  'TRACE 300001:\n\ta.B.c(D.java:1)\nCPU SAMPLES BEGIN (total = 1) Sat Nov 22 10:00:01 2025\nrank   self  accum   count trace method\n' +
  '   1 100.00% 100.00%       1 300001 a.B.c\nCPU SAMPLES END\n';

const FORMATS: readonly (readonly [format: string, before: string, after: string, samples: number])[] = [
  ['collapsed', 'a.B.c;a.B.d 3\n', '\na.B.c;a.B.e 4\n', 7],
  ['hprof-text', HPROF, '\nTHREAD END (id = 1)\n', 1],
  ['thread-dump', DUMP + THREAD, `\n${DUMP}${THREAD}`, 2],
];

describe('B18: a line of many megabytes', () => {
  test.each(FORMATS)(
    '%s: each byte is searched once and copied at most twice',
    (id, before, after, samples) => {
      void readLongLine(before, 10, after).end();
      const counted = countBytes();
      const length = 24 << 20;
      const reader = readLongLine(before, length, after);
      vi.restoreAllMocks();
      expect([reader.format?.id, reader.aggregator.sampleCount, reader.formatFacts().skips]).toEqual([
        id,
        samples,
        id === 'collapsed' ? ['1 line skipped: not a stack followed by a number. The first is line 2.'] : [],
      ]);
      expect(counted.searched).toBeLessThan(2.5 * length);
      expect(counted.copied).toBeLessThan(3.5 * length);
    },
  );

  test.each(FORMATS)(
    '%s: above the limit it is skipped and said, and reading goes on',
    (id, before, after, samples) => {
      const length = MAX_LINE_BYTES + 70_000;
      for (const chunkBytes of [CHUNK, length]) {
        const reader = readLongLine(before, length, after, chunkBytes);
        expect([reader.format?.id, reader.aggregator.sampleCount]).toEqual([id, samples]);
        expect(reader.formatFacts().skips).toEqual(['1 line of more than 33.6 MB skipped.']);
        const { accepted, skipped, pending } = reader.bytes;
        expect([accepted, skipped, pending]).toEqual([before.length + after.length - 1, length + 1, 0]);
      }
    },
  );

  test('at most that much is kept of a line that never ends, and the last line may be too long', () => {
    const counted = countBytes();
    const length = 200 << 20;
    const reader = readLongLine('a.B.c;a.B.d 3\n', length, '', 1 << 20);
    vi.restoreAllMocks();
    expect(counted.searched).toBeLessThan(3 * length);
    expect(counted.copied).toBeLessThan(4 * MAX_LINE_BYTES);
    expect([reader.aggregator.sampleCount, reader.formatFacts().skips]).toEqual([
      3,
      ['1 line of more than 33.6 MB skipped.'],
    ]);
    expect(reader.bytes).toEqual({ accepted: 14, skipped: length, pending: 0 });
  });

  test('of a file that grows, also where it stands still in between', async () => {
    const path = join(temporaryFolder(), 'a.collapsed');
    writeFileSync(path, 'a.B.c;a.B.d 3\n');
    const watched = new WatchedLog(path);
    await watched.clock.pass(3_000);
    const counted = countBytes();
    const piece = 'x'.repeat(1 << 17);
    const pieces = 100;
    for (let at = 0; at < pieces; at++) {
      appendFileSync(path, piece);
      // Looked at, as idle too: its last line is then shown as it is.
      await watched.clock.pass(at % 10 === 0 ? 3_000 : 100);
      if (at % 10 === 0) expect(watched.state).toBe('idle');
    }
    vi.restoreAllMocks();
    const length = pieces * piece.length;
    expect(watched.status).toMatchObject({ acceptedBytes: 14, pendingBytes: length, samples: 3 });
    expect(counted.searched).toBeLessThan(3 * length);
    expect(counted.copied).toBeLessThan(6 * length);
    appendFileSync(path, '\na.B.c;a.B.e 4\n');
    await watched.clock.pass(3_000);
    expect(watched.status.samples).toBe(7);
  });

  test('a long line in UTF-16 counts with its bytes in the file', () => {
    const reader = new ProfileReader(new ProfileAggregator(), NOTHING_CHOSEN, openGunzip);
    const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const long = utf16('x'.repeat(1 << 20));
    void reader.push(utf16('\ufeffa.B.c;a.B.d 3\n'));
    for (let part = 0; part <= MAX_LINE_BYTES >> 20; part++) void reader.push(long);
    void reader.push(utf16('\r\na.B.c;a.B.e 4\n'));
    void reader.end();
    expect([reader.aggregator.sampleCount, reader.bytes]).toEqual([
      7,
      { accepted: 2 + 28 + 28, skipped: long.length * ((MAX_LINE_BYTES >> 20) + 1) + 4, pending: 0 },
    ]);
  });

  test('the command line says so, and ends with 3', async () => {
    const packed = gzipSync(`a.B.c;a.B.d 3\n${'x'.repeat(MAX_LINE_BYTES + 1)}\na.B.c;a.B.e 4\n`);
    expect(packed.length).toBeLessThan(40_000);
    expect(await runCli(['export', '-', '--format', 'collapsed'], { stdin: packed })).toEqual({
      status: 3,
      stdout: 'a.B.c;a.B.d 3\na.B.c;a.B.e 4\n',
      stderr: 'standard input: 1 line of more than 33.6 MB skipped.\n',
    });
  });
});
