import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { foldedStacks, foldedText, sortedStacks } from '../../support/folded-stacks.ts';
import { readInput } from '../../support/read-input.ts';
import { type Golden, goldenStacks, jsonOf, stacksWithLines, threadRows } from '../hprof/reference.ts';
import { DATA } from './data.ts';

const AGENT = `${DATA}/hprof/jdk-agent`;
const UNMARKED: Chosen = { cut: 'off' };

const threadOf = (name: string, id: number): string => `${name} [${id}]`;

const agentFile = (file: string): Uint8Array => {
  const path = `${AGENT}/${file}`;
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
};

interface AgentExpected {
  readonly total: number;
  readonly sumOfCounts: number;
  readonly threadStarts: readonly (readonly [string, string, string, string])[];
  readonly threadEnds: readonly string[];
}

test("text files of the JDK's agent: as another project's converter reads them", () => {
  for (const [name, thread] of [
    ['cpu_samples_depth_100_interval_10_lineno_n_thread_y', true],
    ['cpu_samples_depth_100_interval_10_lineno_y_thread_n', false],
    ['cpu_samples_depth_100_interval_10_lineno_y_thread_y', true],
    ['with_non_ascii_identifier', true],
  ] as const) {
    const read = readInput(agentFile(`${name}.hprof.txt`), UNMARKED);
    const expected = jsonOf(`${AGENT}/${name}.expected.json`) as AgentExpected;
    const folded = foldedStacks(read.profile, {
      lines: true,
      ...(thread ? { thread: (_, id): string => `Thread ${id}` } : {}),
    });
    const reference = Buffer.from(agentFile(`${name}.reference.folded`)).toString('utf8');
    expect(sortedStacks(folded), name).toEqual(sortedStacks(foldedText(reference)));
    expect(read.aggregator.sampleCount, name).toBe(expected.sumOfCounts);
    const rows = threadRows(read);
    expect(rows.filter((row) => row[4] !== undefined).map((row) => [row[1], row[0], row[2]])).toEqual(
      expected.threadStarts.map(([, id, threadName, group]) => [id, threadName, group]),
    );
    expect(
      rows.filter((row) => row[5] !== undefined).sort((a, b) => Number(a[5]) - Number(b[5])).map((row) => row[1]),
    ).toEqual(expected.threadEnds);
  }
});

test('cpu=times: calls, and times out of the percentages', () => {
  const { profile, decoder, aggregator } = readInput(agentFile('cpu_times_depth_100_lineno_n_thread_n.hprof.txt'), UNMARKED);
  const facts = decoder.facts();
  expect([facts.units.counted.many, facts.units.value?.unit]).toEqual(['calls', 'ns']);
  expect(facts.choices.map(({ id }) => id)).toEqual(['cut']);
  expect(aggregator.sampleCount).toBe(9_190_149);
  const stack = 'java.lang.ref.Reference$ReferenceHandler.run;java.lang.Object.wait';
  expect(foldedStacks(profile).get(stack)).toBe(30);
  // 32.16 % of 2 482 436 ms.
  expect(foldedStacks(profile, { time: true }).get(stack)).toBe(2_482_436 * 3216 * 100);
  const time = Array.from(foldedStacks(profile, { time: true }).values()).reduce((sum, each) => sum + each, 0);
  // The file's own accumulated share is 78.88 %; each of its 424 rows is rounded.
  expect(time / (2_482_436 * 1e6)).toBeCloseTo(0.7888, 2);
  expect(facts.notes.join(' ')).toContain('the rest is below the cutoff');
});

test("binary files with identifiers of 4 and of 8 bytes, and records that no one knows: as Android's reader reads them", () => {
  for (const name of ['synthetic-agent-id4-1.0.1', 'synthetic-agent-id8-1.0.2']) {
    const { profile, decoder } = readInput(agentFile(`${name}.hprof`), UNMARKED);
    const { frames, traces } = jsonOf(`${AGENT}/synthetic-agent-id4-1.0.1.golden.json`) as Golden;
    expect(decoder.damage).toBeUndefined();
    expect(stacksWithLines(profile)).toEqual(goldenStacks(frames, traces, -3));
    const text = readInput(agentFile('cpu_samples_depth_100_interval_10_lineno_y_thread_y.hprof.txt'), UNMARKED);
    const options = { thread: threadOf, lines: true };
    expect(sortedStacks(foldedStacks(profile, options))).toEqual(sortedStacks(foldedStacks(text.profile, options)));
  }
});
