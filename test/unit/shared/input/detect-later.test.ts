import { expect, test } from 'vitest';
import {
  DETECTION_BYTES,
  detectFormat,
  MOST_DETECTION_BYTES,
} from '../../../../shared/input/detect-format.ts';
import { readInput } from '../../../support/read-input.ts';

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
