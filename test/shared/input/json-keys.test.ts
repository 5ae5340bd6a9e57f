import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { firefoxFile } from '../../support/firefox-file.ts';
import { readInput } from '../../support/read-input.ts';

// The keys of a JSON object have no order: what tells a format may follow any other key, and pages of it.

type Keys = Readonly<Record<string, unknown>>;

const bytesOf = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json));
/** The same object with its keys in each rotation, and behind a long one. */
function orders(json: Keys): Keys[] {
  const keys = Object.entries({ comment: 'x'.repeat(20_000), ...json });
  return keys.map((_, at) => Object.fromEntries([...keys.slice(at), ...keys.slice(0, at)]));
}

const call = (functionName: string, url = ''): Keys => ({ functionName, url, lineNumber: 0, scriptId: '0' });
const LIST: Keys = {
  nodes: [
    { id: 1, callFrame: call('(root)'), children: [2] },
    { id: 2, callFrame: call('main', 'app.js') },
  ],
  startTime: 0,
  endTime: 3_000,
  samples: [2, 2],
  timeDeltas: [1_000, 1_000],
};
const FIREFOX = firefoxFile(
  [{ name: 'main', tid: 1, pid: 1, samples: [1, 2].map((ms) => ({ stack: [{ name: 'main' }], ms })) }],
  60,
) as Keys;
const TREE: Keys = {
  typeId: 'CPU',
  uid: '1',
  title: '1',
  head: {
    ...call('(root)'),
    id: 1,
    hitCount: 0,
    children: [{ ...call('main', 'app.js'), id: 2, hitCount: 2, children: [] }],
  },
  startTime: 1,
  endTime: 2,
  samples: [2, 2],
};
const SPEEDSCOPE: Keys = {
  $schema: 'https://www.speedscope.app/file-format-schema.json',
  shared: { frames: [{ name: 'main' }] },
  profiles: [
    { type: 'sampled', name: 'a', unit: 'none', startValue: 0, endValue: 2, samples: [[0]], weights: [2] },
  ],
};
const { $schema: _, ...WITHOUT_SCHEMA } = SPEEDSCOPE;
const DUMP: Keys = {
  threadDump: {
    processId: '1',
    threadContainers: [
      { container: '<root>', threads: [{ tid: '1', name: 'main', stack: ['Shop.main(Shop.java:7)'] }] },
    ],
  },
};

test.each<readonly [format: string, json: Keys, samples: number]>([
  ['cpuprofile', LIST, 2],
  ['cpuprofile', TREE, 2],
  ['firefox', FIREFOX, 2],
  ['speedscope', SPEEDSCOPE, 2],
  ['speedscope', WITHOUT_SCHEMA, 2],
  ['thread-dump-json', DUMP, 1],
])('%s', (format, json, samples) => {
  for (const order of orders(json)) {
    const { format: found, aggregator } = readInput(bytesOf(order));
    expect([found, aggregator.sampleCount], Object.keys(order).join()).toEqual([format, samples]);
  }
});

test('other JSON with keys of profiles is none', () => {
  const formatOf = (json: unknown): string | undefined => detectFormat(bytesOf(json), true)?.format;
  expect(formatOf({ head: { ref: 'main' }, functionName: 'x' })).toBe(undefined);
  expect(formatOf({ nodes: [{ id: 1 }], functionName: 'x' })).toBe(undefined);
  expect(formatOf({ shared: { frames: [] }, profiles: [] })).toBe(undefined);
});
