import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DETECTION_BYTES, detectFormat } from '../../shared/input/detect-format.ts';
import type { FormatId } from '../../shared/facts/format-id.ts';
import { sumSelfValues } from '../../shared/values/self-values.ts';
import { addedUp, collapsedOf } from '../support/collapsed-text.ts';
import { readInput } from '../support/read-input.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';

const OTHER = '../shared/data/other';

/** How a frame reads that async-profiler wrote. */
const withoutSuffix = (frame: string): string => frame.replace(/_\[[jik01]\]$/, '');
const dotted = (frame: string): string => {
  const bare = withoutSuffix(frame);
  return /^[\w$/+.-]+\.([\w$-]+|<\w+>)$/.test(bare) && !/^\d/.test(bare) ? bare.replaceAll('/', '.') : bare;
};

test('lock contention of a recorded program: weights beyond 2^32, to the last nanosecond', () => {
  const input = readFileSync('test/golden/collapsed/shop-jdk17.lock.reference.collapsed');
  const { profile, decoder, format } = readInput(input, { unit: 'nanoseconds' });
  expect(format).toBe('collapsed');
  expect(collapsedOf(profile)).toBe(addedUp(input.toString(), dotted));
  const weights = input.toString().trim().split('\n').map((line) => Number(line.slice(line.lastIndexOf(' '))));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  expect(Math.max(...weights)).toBeGreaterThan(2 ** 32);
  expect(sumSelfValues(profile.selfValues)).toEqual({ samples: sum, time: sum });
  expect(decoder.records).toBe(weights.length);
  expect(decoder.bytes).toEqual({ accepted: input.length, skipped: 0, pending: 0 });
});

testUnless(missingFile(OTHER))('what tools wrote, stack by stack', () => {
  const files = [
    ...['', '.alloc', '.lock'].map((kind) => `shop-jdk17${kind}.reference.collapsed`),
    ...readdirSync(`${OTHER}/async-profiler`).map((name) => `async-profiler/${name}`),
    ...readdirSync(`${OTHER}/speedscope-samples`).map((name) => `speedscope-samples/${name}`),
  ].filter((name) => /\.collapsed$|stackcollapse/.test(name));
  expect(files.length).toBe(15);
  for (const name of files) {
    const input = readFileSync(`${OTHER}/${name}`);
    const { profile, decoder, format } = readInput(input);
    expect(format, name).toBe('collapsed');
    expect(collapsedOf(profile), name).toBe(addedUp(textOf(input), dotted));
    expect(decoder.facts().skips, name).toEqual(
      name.includes('invalids')
        ? ['1 line skipped: not a stack followed by a number. The first is line 8.']
        : [],
    );
  }
});

testUnless(missingFile(OTHER))('threads and lines', () => {
  const input = readFileSync(`${OTHER}/shop-jdk17.reference-threads-lines.collapsed`).toString();
  const { profile } = readInput(Buffer.from(input));
  // Threads are written as async-profiler has written them.
  const frame = (text: string): string => (/^\[.*? tid=\d+\]$/.test(text) ? text : dotted2(text));
  expect(collapsedOf(profile, 'id', 'line')).toBe(addedUp(input, frame));
  const tids = new Set(input.match(/^\[.*? tid=\d+\]/gm));
  expect(profile.threads.length).toBe(tids.size);
});

/** Lines stay behind the method. */
function dotted2(frame: string): string {
  const [, name, line] = /^(.*?)(:\d+)?$/.exec(withoutSuffix(frame)) as unknown as [string, string, string | undefined];
  return dotted(name) + (line ?? '');
}

/** What files of these formats are called there. */
const OWN: readonly (readonly [FormatId, RegExp])[] = [
  ['collapsed', /collapse|\.folded|\.flame\.txt/],
  ['speedscope', /\.speedscope\.json$/],
  ['cpuprofile', /\.cpuprofile$/],
  ['async-profiler-html', /\.html$/],
];

testUnless(missingFile(OTHER))('no file of another format is taken', () => {
  const taken: string[] = [];
  const files = readdirSync('../shared/data', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    // Those are made to look like formats that their names do not tell.
    .filter((path) => !path.includes('/hostile/'));
  expect(files.length).toBeGreaterThan(50);
  for (const path of files) {
    const stored = readFileSync(path);
    const input = path.endsWith('.gz') ? gunzipSync(stored) : stored;
    const format = detectFormat(input.subarray(0, DETECTION_BYTES), true)?.format;
    const own = OWN.find(([id]) => id === format);
    if (own !== undefined && !own[1].test(path)) taken.push(`${path} as ${format}`);
  }
  expect(taken).toEqual([]);
});

function textOf(input: Buffer): string {
  if (input[0] === 0xff && input[1] === 0xfe) return input.subarray(2).toString('utf16le');
  if (input[0] === 0xfe && input[1] === 0xff) return Buffer.from(input.subarray(2)).swap16().toString('utf16le');
  return input.toString();
}
