import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import {
  DETECTION_BYTES,
  detectFormat,
  MOST_DETECTION_BYTES,
  SEARCHED_BYTES,
  SHARED_BYTES,
} from '../../../shared/input/detect-format.ts';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import { readInput } from '../../support/read-input.ts';

// What a format is recognised by may stand anywhere in a text.

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const format = (input: Uint8Array, ended = true): string | undefined => {
  const found = detectFormat(input, ended);
  return found === undefined ? 'more bytes' : found.format;
};

const PAGE = (style: string): string =>
  `<!DOCTYPE html>\n<html lang='en'>\n<head>\n<style>${style}</style>\n</head>\n<body>\n<canvas id='canvas' style='width: 100%'></canvas>\n<script>\n// Copyright The async-profiler authors\n`;

test('a flame graph whose canvas follows a long style sheet', () => {
  for (const length of [10, 5_000, 100_000])
    expect(format(bytesOf(PAGE('a { color: red }\n'.repeat(length / 10))))).toBe('async-profiler-html');
  expect(format(bytesOf('<!DOCTYPE html>\n<html><body><canvas id="canvas"></canvas>'))).toBe(undefined);
});

const DUMP = `"main" #1 prio=5 tid=0x01 nid=0x02 runnable\n\tat a.A.main(A.java:7)\n`;

test('the result does not depend on how the input arrives', () => {
  const input = bytesOf('a line of a server\n'.repeat(1_000) + DUMP);
  const first = input.indexOf(0x22);
  expect(first).toBeGreaterThan(4 * DETECTION_BYTES);
  for (let length = 1; length < input.length; length += 501)
    expect(['more bytes', 'thread-dump']).toContain(format(input.subarray(0, length), false));
  expect(format(input)).toBe('thread-dump');
});

test('a text is searched only so far, and binary data no further than its first bytes', () => {
  const text = bytesOf('a line of a server\n'.repeat(MOST_DETECTION_BYTES / 19 + 1));
  expect(format(text.subarray(0, MOST_DETECTION_BYTES - 1), false)).toBe('more bytes');
  expect(format(text.subarray(0, MOST_DETECTION_BYTES), false)).toBe(undefined);
  expect(
    format(
      Uint8Array.from({ length: DETECTION_BYTES }, (_, at) => (at * 37) & 0xff),
      false,
    ),
  ).toBe(undefined);
});

test('collapsed stacks whose first line is longer than what is looked at are read whole', () => {
  const frames = Array.from({ length: 400 }, (_, at) => `com.acme.shop.Type${at}.run`);
  const text = `${frames.join(';')} 7\nShop.main;Cart.add 3\n`;
  expect(text.indexOf('\n')).toBeGreaterThan(2 * DETECTION_BYTES);
  const { format: found, aggregator, profile } = readInput(bytesOf(text));
  expect([found, aggregator.sampleCount, aggregator.deepestStack]).toEqual(['collapsed', 10, 400]);
  // The root and the frames of both stacks.
  expect(profile.nodes.length).toBe(1 + 400 + 2);
});

test('a thread dump behind the requests of a server, whose lines end with numbers and have semicolons', () => {
  const request = (at: number): string =>
    `10.0.0.${at} - - [24/Nov/2026:10:00:00 +0000] "GET /cart;jsessionid=${at} HTTP/1.1" 200 "-" "Mozilla/5.0 (X11; Linux)" ${at}\n`;
  const log = Array.from({ length: 60 }, (_, at) => request(at)).join('');
  expect(log.length).toBeGreaterThan(DETECTION_BYTES);
  expect(format(bytesOf(log + DUMP))).toBe('thread-dump');
  expect(format(bytesOf(log))).toBe(undefined);
});

test('a javacore behind the output of a server', () => {
  const javacore = 'NULL           -----\n0SECTION       TITLE subcomponent dump routine\n';
  expect(format(bytesOf('a line of a server\n'.repeat(1_000) + javacore))).toBe('javacore');
});

test.each(['# a comment\n', '// a comment\n', '\n', 'WARN: a message of the tool, and more of it\n', '#'])(
  'collapsed stacks behind pages of %j',
  (line) => {
    const before = line.repeat(2 * DETECTION_BYTES) + (line.endsWith('\n') ? '' : '\n');
    const stacks = Array.from({ length: 30 }, (_, at) => `Shop.main;Cart.add${at} ${at}\n`).join('');
    const input = bytesOf(before + stacks);
    expect(format(input)).toBe('collapsed');
    expect(format(input.subarray(0, DETECTION_BYTES), false)).toBe('more bytes');
    expect(format(bytesOf(before))).toBe(undefined);
  },
);

/** More than detection looks at: a record of a server, again and again. */
const LONG_LOG = bytesOf('2026-11-27 12:00:00,123 INFO  [http-1] c.a.Service - handled\n'.repeat(350_000));
const JAVA_CORE = `0SECTION       TITLE subcomponent dump routine
1XMTHDINFO     Thread Details
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/A.main(A.java:7)
`;

/** Reads an input in chunks of a size through the reader of all inputs. */
function readChunks(
  input: Uint8Array,
  chunkBytes: number,
  files = 1,
): { readonly samples: number; readonly reader: ProfileReader } {
  const aggregator = new ProfileAggregator();
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  for (let file = 1; file <= files; file++) {
    if (file > 1) reader.beginFile();
    for (let at = 0; at < input.length; at += chunkBytes)
      void reader.push(input.subarray(at, at + chunkBytes));
    void reader.end(file === files);
  }
  return { samples: aggregator.sampleCount, reader };
}

test('a dump behind more of a log than is looked at at first, however the log arrives', () => {
  expect(LONG_LOG.length).toBeGreaterThan(MOST_DETECTION_BYTES);
  const behind = DUMP.replaceAll(/^/gm, 'shop-1  | ');
  for (const [id, dump, more] of [
    ['thread-dump', DUMP, 0],
    ['thread-dump', behind, 300_000],
    ['javacore', JAVA_CORE, 2_000_000],
  ] as const)
    for (const chunkBytes of [262_144, 1_000_003]) {
      const input = Buffer.concat([LONG_LOG, LONG_LOG.subarray(0, more), bytesOf(`\n${dump}after it\n`)]);
      const { samples, reader } = readChunks(input, chunkBytes);
      expect([reader.format?.id, samples]).toEqual([id, 1]);
      const { accepted, skipped, pending } = reader.bytes;
      expect([accepted + skipped, pending]).toEqual([input.length, 0]);
      expect(accepted).toBeGreaterThanOrEqual(bytesOf(dump).length);
    }
});

test('a dump behind a long log of records in JSON', () => {
  const record = (line: string): string => `${JSON.stringify({ log: `${line}\n`, stream: 'stdout' })}\n`;
  const log = record('2026-11-27 12:00:00,123 INFO  [http-1] c.a.Service - handled').repeat(210_000);
  const dump = DUMP.split('\n').map(record).join('');
  const { samples, reader } = readChunks(bytesOf(log + dump), 262_144);
  expect([log.length > MOST_DETECTION_BYTES, reader.format?.id, samples]).toEqual([true, 'thread-dump', 1]);
});

test('a dump wherever the parts of a long log are cut', () => {
  const cut = MOST_DETECTION_BYTES + SEARCHED_BYTES - SHARED_BYTES;
  for (const before of [-100, -40, -20, 0]) {
    const log = LONG_LOG.slice(0, cut + before);
    log[log.length - 1] = 0x0a;
    const { samples } = readChunks(Buffer.concat([log, bytesOf(DUMP), bytesOf('x\n')]), 262_144);
    expect([before, samples]).toEqual([before, 1]);
  }
});

test('files of a series, each behind a long log', () => {
  const { samples, reader } = readChunks(Buffer.concat([LONG_LOG, bytesOf(DUMP)]), 262_144, 2);
  expect([samples, reader.mismatch]).toEqual([2, undefined]);
});

test('a long log without a dump', () => {
  const { reader } = readChunks(LONG_LOG, 262_144);
  expect([reader.format, reader.unrecognised?.guess]).toEqual([undefined, 'plain text']);
  const { accepted, skipped, pending } = reader.bytes;
  expect([accepted, skipped, pending]).toEqual([0, LONG_LOG.length, 0]);
});
