import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Chosen } from '../../shared/facts/choice.ts';
import { DETECTION_BYTES } from '../../shared/input/detect-format.ts';
import type { FactTable } from '../../shared/facts/format-facts.ts';
import { HPROF, HPROF_TEXT } from '../../shared/formats/hprof/format.ts';
import { foldedStacks, foldedText, sortedStacks } from '../support/folded-stacks.ts';
import { readInput, type ReadInput } from '../support/read-input.ts';
import { missingFile, testUnless } from '../support/test-unless.ts';

/** Written by Android's own classes; the README of the folder says how. */
const PROFILES = ['small-main', 'shallow-depth4', 'restart', 'empty'] as const;
const FORMS = ['hprof', 'hprof.txt', 'android.hprof.txt'] as const;

const golden = (file: string): Uint8Array => readFileSync(`test/golden/hprof/${file}`);
const UNMARKED: Chosen = { cut: 'off' };
const threadOf = (name: string, id: number): string => `${name} [${id}]`;

interface Expected {
  readonly totalSamples: number;
  readonly threads: readonly { readonly threadId: number; readonly name: string; readonly samples: number }[];
  readonly startedThreads: number;
  readonly endedThreads: number;
  readonly maxDepth: number;
  readonly tracesAtDepthLimit: number;
  readonly methods: readonly { readonly method: string; readonly self: number; readonly total: number }[];
}

interface Golden {
  readonly depth: number;
  readonly threadEvents: readonly {
    readonly type: 'START' | 'END';
    readonly threadId: number;
    readonly name?: string;
    readonly group?: string;
    readonly parentGroup?: string;
  }[];
  readonly frames: readonly (readonly [string, string, string | null, number])[];
  readonly traces: readonly {
    readonly threadId: number;
    readonly count: number;
    readonly frames: readonly number[];
  }[];
}

const jsonOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

for (const name of PROFILES) {
  for (const form of FORMS) {
    test(`${name}.${form}: stacks, methods and threads as an independent script computed them`, () => {
      const read = readInput(golden(`${name}.${form}`), UNMARKED);
      const expected = jsonOf(`test/golden/hprof/${name}.expected.json`) as Expected;
      expect(read.format).toBe(form === 'hprof' ? 'hprof' : 'hprof-text');
      expect(read.decoder.damage).toBeUndefined();
      expect(sortedStacks(foldedStacks(read.profile, { thread: threadOf }))).toEqual(
        sortedStacks(foldedText(readFileSync(`test/golden/hprof/${name}.expected.folded`, 'utf8'))),
      );
      expect(read.aggregator.sampleCount).toBe(expected.totalSamples);
      expect(methodTotals(read)).toEqual(
        expected.methods.map(({ method, self, total }) => `${method} ${self} ${total}`).sort(),
      );
      const threads = threadRows(read);
      expect(
        threads.filter((row) => row[7] !== 0).map((row) => `${String(row[1])} ${String(row[0])} ${String(row[7])}`).sort(),
      ).toEqual(expected.threads.map((thread) => `${thread.threadId} ${thread.name} ${thread.samples}`).sort());
      expect(threads.filter((row) => row[6] === 'yes')).toHaveLength(expected.endedThreads);
      expect(threads).toHaveLength(expected.startedThreads);
      expect(accountOf(read)).toEqual({ accepted: golden(`${name}.${form}`).length, skipped: 0, pending: 0 });
    });
  }

  test(`${name}: every line, file and thread event of the binary file`, () => {
    const read = readInput(golden(`${name}.hprof`), UNMARKED);
    const { frames, traces, threadEvents } = jsonOf(`test/golden/hprof/${name}.golden.json`) as Golden;
    expect(stacksWithLines(read.profile)).toEqual(goldenStacks(frames, traces, -2));
    const rows = threadRows(read);
    const events = rows.flatMap(([thread, id, group, parent, started, ended]) => [
      { at: started, text: `START ${String(id)} ${String(thread)} ${group ?? ''} ${parent ?? ''}` },
      ...(ended === undefined ? [] : [{ at: ended, text: `END ${String(id)}` }]),
    ]);
    expect(events.sort((a, b) => Number(a.at) - Number(b.at)).map(({ text }) => text)).toEqual(
      threadEvents.map((event) =>
        event.type === 'END'
          ? `END ${event.threadId}`
          : `START ${event.threadId} ${event.name} ${event.group ?? ''} ${event.parentGroup ?? ''}`,
      ),
    );
  });

  test(`${name}: stacks at the depth limit are marked, the others are not`, () => {
    const { profile, decoder } = readInput(golden(`${name}.hprof`));
    const { traces, depth } = jsonOf(`test/golden/hprof/${name}.golden.json`) as Golden;
    const cut = traces.filter(({ frames }) => frames.length === depth);
    const mark = `(truncated at depth ${depth});`;
    let marked = 0;
    for (const [stack, count] of foldedStacks(profile)) {
      const isMarked = stack.startsWith(mark);
      expect(isMarked ? stack.split(';').length : 0).toBe(isMarked ? depth + 1 : 0);
      if (isMarked) marked += count;
    }
    expect(marked).toBe(cut.reduce((sum, { count }) => sum + count, 0));
    const unmarked = Array.from(foldedStacks(profile, { thread: threadOf }), ([stack, count]) => {
      return `${stack.replace(mark, '')} ${count}`;
    });
    expect(sortedStacks(foldedText(unmarked.join('\n')))).toEqual(
      sortedStacks(foldedText(readFileSync(`test/golden/hprof/${name}.expected.folded`, 'utf8'))),
    );
    expect(decoder.facts().notes.some((note) => note.includes('their callers may be missing'))).toBe(cut.length > 0);
    expect(decoder.facts().losses.some(({ kind }) => kind === 'truncated')).toBe(cut.length > 0);
    // A text file does not tell the limit, but its stacks do.
    for (const form of ['hprof.txt', 'android.hprof.txt']) {
      const text = readInput(golden(`${name}.${form}`));
      expect(sortedStacks(foldedStacks(text.profile))).toEqual(sortedStacks(foldedStacks(profile)));
    }
  });
}

const AGENT = '../shared/data/hprof/jdk-agent';

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

for (const [name, thread] of [
  ['cpu_samples_depth_100_interval_10_lineno_n_thread_y', true],
  ['cpu_samples_depth_100_interval_10_lineno_y_thread_n', false],
  ['cpu_samples_depth_100_interval_10_lineno_y_thread_y', true],
  ['with_non_ascii_identifier', true],
] as const) {
  testUnless(missingFile(AGENT))(`${name}: as another project's converter reads it`, () => {
    const read = readInput(agentFile(`${name}.hprof.txt`), UNMARKED);
    const expected = jsonOf(`${AGENT}/${name}.expected.json`) as AgentExpected;
    const folded = foldedStacks(read.profile, {
      lines: true,
      ...(thread ? { thread: (_, id): string => `Thread ${id}` } : {}),
    });
    const reference = Buffer.from(agentFile(`${name}.reference.folded`)).toString('utf8');
    expect(sortedStacks(folded)).toEqual(sortedStacks(foldedText(reference)));
    expect(read.aggregator.sampleCount).toBe(expected.sumOfCounts);
    const rows = threadRows(read);
    expect(rows.filter((row) => row[4] !== undefined).map((row) => [row[1], row[0], row[2]])).toEqual(
      expected.threadStarts.map(([, id, threadName, group]) => [id, threadName, group]),
    );
    expect(
      rows.filter((row) => row[5] !== undefined).sort((a, b) => Number(a[5]) - Number(b[5])).map((row) => row[1]),
    ).toEqual(expected.threadEnds);
  });
}

testUnless(missingFile(AGENT))('cpu=times: calls, and times out of the percentages', () => {
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

for (const [name, idSize] of [
  ['synthetic-agent-id4-1.0.1', 4],
  ['synthetic-agent-id8-1.0.2', 8],
] as const) {
  testUnless(missingFile(AGENT))(`${name}: identifiers of ${idSize} bytes, records that no one knows`, () => {
    const { profile, decoder } = readInput(agentFile(`${name}.hprof`), UNMARKED);
    const { frames, traces } = jsonOf(`${AGENT}/synthetic-agent-id4-1.0.1.golden.json`) as Golden;
    expect(decoder.damage).toBeUndefined();
    expect(stacksWithLines(profile)).toEqual(goldenStacks(frames, traces, -3));
    const text = readInput(agentFile('cpu_samples_depth_100_interval_10_lineno_y_thread_y.hprof.txt'), UNMARKED);
    const options = { thread: threadOf, lines: true };
    expect(sortedStacks(foldedStacks(profile, options))).toEqual(sortedStacks(foldedStacks(text.profile, options)));
  });
}

test('nothing of the kind among the other files of the folder beside the checkout', () => {
  const data = '../shared/data';
  const others = existsSync(data)
    ? readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !join(entry.parentPath, '/').includes('/hprof/'))
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
  if (others.length === 0) console.log(`skipped: there is no ${data} with files of other formats`);
  for (const path of [...others, 'test/golden/hprof/small-main.golden.json']) {
    const bytes = readFileSync(path);
    const head = (path.endsWith('.gz') ? beginning(bytes) : bytes).subarray(0, DETECTION_BYTES);
    for (const format of [HPROF, HPROF_TEXT])
      expect([path, format.recognise(head).verdict]).not.toEqual([path, 'is']);
  }
});

/** Unpacked, and enough of it to tell a format. */
function beginning(packed: Uint8Array): Uint8Array {
  return gunzipSync(packed.subarray(0, 1 << 16), { finishFlush: constants.Z_SYNC_FLUSH });
}

function threadRows({ decoder }: ReadInput): FactTable['rows'] {
  return decoder.facts().tables.find(({ title }) => title === 'Threads')?.rows ?? [];
}

function accountOf({ decoder }: ReadInput): unknown {
  const { accepted, skipped, pending } = decoder.bytes;
  return { accepted, skipped, pending };
}

/** `method self total`, a sample counting once for a recursive method. */
function methodTotals({ profile }: ReadInput): string[] {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const add = (sums: Map<string, number>, key: string, count: number): void => {
    sums.set(key, (sums.get(key) ?? 0) + count);
  };
  for (const [stack, count] of foldedStacks(profile)) {
    const methods = stack.split(';');
    add(self, methods[methods.length - 1], count);
    for (const method of new Set(methods)) add(total, method, count);
  }
  return Array.from(total, ([method, count]) => `${method} ${self.get(method) ?? 0} ${count}`).sort();
}

/** `thread;Class.method|file|line;… count`, native methods as line `native`. */
function stacksWithLines({ threads, methods, frames, nodes, selfValues }: ReadInput['profile']): string[] {
  const stacks = new Map<string, number>();
  for (let self = 0; self < selfValues.length; self++) {
    let text = '';
    let node = selfValues.node[self];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const names = methods.names[frames.method[frame]];
      const line = frames.bci[frame] === -3 ? 'native' : frames.line[frame] > 0 ? frames.line[frame] : 'none';
      text += `;${names?.className}.${names?.methodName}|${names?.file}|${line}`;
    }
    const key = `${threads.idLo[~nodes.frame[node]]}${text}`;
    stacks.set(key, (stacks.get(key) ?? 0) + selfValues.count[self]);
  }
  return sortedStacks(stacks);
}

function goldenStacks(frames: Golden['frames'], traces: Golden['traces'], native: number): string[] {
  const stacks = new Map<string, number>();
  for (const trace of traces) {
    const key = `${trace.threadId}${trace.frames
      .map((at) => {
        const [className, method, file, line] = frames[at];
        return `;${className}.${method}|${file ?? ''}|${line === native ? 'native' : line > 0 ? line : 'none'}`;
      })
      .join('')}`;
    stacks.set(key, (stacks.get(key) ?? 0) + trace.count);
  }
  return sortedStacks(stacks);
}
