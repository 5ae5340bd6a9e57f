import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Chosen } from '../../shared/facts/choice.ts';
import { foldedStacks, foldedText, sortedStacks } from '../support/folded-stacks.ts';
import { readInput, type ReadInput } from '../support/read-input.ts';
import { type Golden, goldenStacks, jsonOf, stacksWithLines, threadRows } from './hprof/reference.ts';

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
    expect(decoder.facts().notes.some((note) => note.includes('Callers next to the root are missing'))).toBe(cut.length > 0);
    expect(decoder.facts().losses.some(({ kind }) => kind === 'truncated')).toBe(cut.length > 0);
    // A text file does not tell the limit, but its stacks do.
    for (const form of ['hprof.txt', 'android.hprof.txt']) {
      const text = readInput(golden(`${name}.${form}`));
      expect(sortedStacks(foldedStacks(text.profile))).toEqual(sortedStacks(foldedStacks(profile)));
    }
  });
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
