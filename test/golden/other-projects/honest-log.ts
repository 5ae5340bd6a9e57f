import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { expectGrownAtRandom } from '../../support/grown-at-random.ts';
import { GOLDEN_LOGS } from '../../support/read-log.ts';
import { testSeed } from '../../support/test-seed.ts';
import { compareWithReference } from '../hpl/compare-with-reference.ts';
import { CALLED_LOGS, calledOf, COMPARED_LOGS, comparisonOf, referenceOf } from '../hpl/reference.ts';
import { DATA } from './data.ts';

const COMPUTED = `${DATA}/hpl/golden`;
const { randomFor } = testSeed('logs of the Honest Profiler project');

/** With UPDATE_REFERENCE=1 the files are written instead: from the reference's own output, never from ours. */
test('what this project has of the output of Honest Profiler is what it computed', () => {
  const expectFile = (name: string, content: unknown): void => {
    const path = `test/golden/hpl/${name}`;
    const text = `${JSON.stringify(content, null, 2)}\n`;
    if (process.env.UPDATE_REFERENCE === '1') writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  };
  expectFile('reference.json', Object.fromEntries(GOLDEN_LOGS.map((name) => [name, referenceOf(COMPUTED, name)])));
  expectFile(
    'comparisons.json',
    Object.fromEntries(COMPARED_LOGS.map(([base, next]) => [`${base}--${next}`, comparisonOf(COMPUTED, base, next)])),
  );
  expectFile('called.json', Object.fromEntries(CALLED_LOGS.map((name) => [name, calledOf(COMPUTED, name)])));
});

test("the Honest Profiler project's own logs equal its reading, also when they grow", async () => {
  const random = randomFor(0);
  for (const [name, file] of [
    ['upstream-example', 'example.hpl'],
    ['upstream-log0', 'log0.hpl'],
    ['upstream-alex', 'alex_log_16_07_2014.hpl.gz'],
  ] as const) {
    const stored = readFileSync(`${DATA}/hpl/upstream/${file}`);
    const bytes = file.endsWith('.gz') ? gunzipSync(stored) : stored;
    compareWithReference(bytes, referenceOf(COMPUTED, name), (_, run) => run());
    await expectGrownAtRandom(bytes, random);
  }
});
