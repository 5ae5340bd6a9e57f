import { expect, test } from 'vitest';
import { AGCT_ERRORS } from '../../../shared/facts/agct-errors.ts';
import { healthOf } from '../../../shared/facts/health.ts';
import { type LogFacts, NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { lossOf } from '../../../shared/facts/losses.ts';

const lines = (facts: Partial<LogFacts>): readonly string[] =>
  healthOf({ ...NO_LOG_FACTS, ...facts }).flatMap(({ title, amount, parts }) => [
    `${title}: ${amount}`,
    ...parts.map((part) => `  ${part.title}: ${part.amount}; ${part.threads}`),
  ]);

test('where all is well nothing is said', () => {
  expect(lines({})).toEqual([]);
  const gaps = { count: 0, totalNs: 0, longestNs: 0, leastNs: 1e9 };
  expect(
    lines({ samples: 10, acceptedBytes: 400, backwardSteps: 0, errorSamples: { '-3': 0 }, gaps }),
  ).toEqual([]);
});

test('what was skipped is named, whether or not its bytes are known', () => {
  const skips = ['1 line skipped.'];
  const whyOf = (facts: Partial<LogFacts>): unknown => healthOf({ ...NO_LOG_FACTS, skips, ...facts });
  expect(whyOf({ skippedBytes: 8 })).toMatchObject([
    { id: 'skipped', title: 'Skipped bytes', amount: '8 B', why: '1 line skipped.' },
  ]);
  expect(whyOf({})).toMatchObject([{ id: 'skipped', title: 'Read in part', why: '1 line skipped.' }]);
});

test('what was lost is named with its amount, the most important first', () => {
  expect(
    lines({
      samples: 20,
      methods: 34,
      acceptedBytes: 750,
      skippedBytes: 240,
      pendingBytes: 10,
      damage: {
        what: 'record type',
        byteOffset: 16399,
        record: 411,
        found: 'type 99',
        expected: '1 or 2',
      },
      errorSamples: { '-3': 4, '-9': 11, '-77': 1, '0': 0 },
      errorThreads: {
        '-9': [
          { thread: 'main', samples: 6 },
          { thread: '', samples: 3 },
        ],
        '-3': [{ thread: 'worker\u001b[1m', samples: 4 }],
      },
      truncated: { stacks: 58, depth: 128 },
      losses: [
        ...lossOf('truncated', [2, 'stack'], 'Cut.'),
        ...lossOf('failed', [0, 'sample'], 'Failed.'),
        ...lossOf('uncounted', [1, 'sample'], 'Lost.'),
      ],
      gaps: { count: 2, totalNs: 15e9, longestNs: 12e9, leastNs: 1e9 },
      backwardSteps: 1,
      unnamedMethods: 2,
    }),
  ).toEqual([
    'Damage: record type at byte 16,399: 75.0 % of the file was read',
    'Samples without a stack: 16 of 20 samples, 80.0 %',
    '  Deoptimization (-9): 11 samples, 55.0 %; main 6, threads without a name 3, others 2',
    '  Unknown, not Java (-3): 4 samples, 20.0 %; worker\\x1b[1m 4',
    '  Unknown code (-77): 1 sample, 5.0 %; ',
    "Truncated stacks: 58 stacks of 128 frames, probably the agent's limit",
    'Truncated stacks: 2 stacks',
    'Not counted: 1 sample',
    'Gaps between samples: 2 gaps of 1.0 s or more, 15.0 s together, the longest 12.0 s',
    'Clock steps back: 1 step',
    'Methods without a name: 2 of 34 methods',
    'Skipped bytes: 240 B',
    'Bytes at the end, not used yet: 10 B',
  ]);
});

test('all that is said are sentences, for every error of AsyncGetCallTrace', () => {
  expect(AGCT_ERRORS.length).toBe(11);
  const texts = AGCT_ERRORS.flatMap(({ why, advice }) => [why, advice]);
  for (const text of texts) expect(text).toMatch(/^[A-Z].*\.$/);
});
