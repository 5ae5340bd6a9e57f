import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectBytes } from '../../shared/export/export-input.ts';
import { exportHprofBinary, exportHprofText, HprofTraces } from '../../shared/export/hprof.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { printable } from '../../shared/text/printable.ts';
import { type FoldedOptions, foldedStacks, sortedStacks } from '../support/folded-stacks.ts';
import { hprofFile, hprofRecords } from '../support/hprof-bytes.ts';
import { readInput } from '../support/read-input.ts';
import { goldenLog, goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { readStrictHprof } from '../support/strict-hprof.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROFILES = ['small-main', 'shallow-depth4', 'restart', 'empty'] as const;
const LOGS = ['hello', 'deeprec', 'threads', 'server-small'] as const;
const WHOLE: FoldedOptions = { thread: (name, id) => `${name} [${id}]`, lines: true };
/** Thread numbers of a log are no numbers that hprof can hold; most, but not all, of its lines are. Names are written printable in text. */
const BY_NAME: FoldedOptions = { thread: (name) => printable(name).replaceAll(';', ':') };

const golden = (file: string): Uint8Array => readFileSync(`test/golden/hprof/${file}`);
const binaryOf = (profile: LeanProfile, depth?: number): Uint8Array =>
  collectBytes((sink) => exportHprofBinary(new HprofTraces(profile, depth), sink));
const textOf = (profile: LeanProfile, depth?: number): Uint8Array =>
  Buffer.from(collectText((sink) => exportHprofText(new HprofTraces(profile, depth), sink)));
const stacksOf = (input: Uint8Array, options: FoldedOptions, chosen = {}): string[] =>
  sortedStacks(foldedStacks(readInput(input, chosen).profile, options));

test('the strict reader reads what Android wrote as Android read it', () => {
  for (const name of PROFILES) {
    const { threadEvents, traces, ...rest } = readStrictHprof(golden(`${name}.hprof`));
    const expected = JSON.parse(readFileSync(`test/golden/hprof/${name}.golden.json`, 'utf8')) as {
      readonly frames: readonly unknown[];
      readonly threadEvents: unknown;
      readonly traces: readonly { readonly id: number; readonly frames: readonly number[] }[];
    };
    expect(expected).toMatchObject({ ...rest, threadEvents });
    const resolved = expected.traces.map((trace) => ({
      ...trace,
      frames: trace.frames.map((at) => expected.frames[at]),
    }));
    expect([...traces].sort((a, b) => a.id - b.id)).toEqual(resolved.sort((a, b) => a.id - b.id));
  }
});

test('the strict reader refuses what is not quite right', () => {
  const { string, loadClass, frame, trace, startThread, cpuSamples, settings, record } = hprofRecords(4);
  const begun = [settings(2, 4), string(1, 'a'), startThread(7, 1, 0, 0), loadClass(1, 1), frame(1, 1, 1, 1, 3)];
  const problem = (...records: readonly Uint8Array[]): string => {
    try {
      readStrictHprof(hprofFile({}, ...begun, ...records));
      return 'none';
    } catch (error) {
      return String(error);
    }
  };
  expect(problem(trace(5, 7, 1), cpuSamples(2, [2, 5]))).toBe('none');
  expect(problem(trace(5, 7, 1), cpuSamples(3, [2, 5]))).toBe('Error: samples: 2 instead of 3');
  expect(problem(trace(5, 7, 1), cpuSamples(0, [0, 5]))).toBe('Error: trace 5: a count of 0');
  expect(problem(trace(5, 7, 1), trace(6, 7, 1))).toBe('Error: trace 6: the same stack twice');
  expect(problem(trace(5, 7, 1), trace(5, 7))).toBe('Error: trace 5 twice');
  expect(problem(trace(5, 8, 1))).toBe('Error: trace 5: unknown thread 8');
  expect(problem(trace(5, 7, 2))).toBe('Error: unknown frame 2');
  expect(problem(cpuSamples(1, [1, 9]))).toBe('Error: unknown trace 9');
  expect(problem(string(1, 'b'))).toBe('Error: string 1 twice');
  expect(problem(frame(2, 9, 0, 1, 1))).toBe('Error: unknown string 9');
  expect(problem(frame(2, 1, 0, 9, 1))).toBe('Error: unknown class 9');
  expect(problem(startThread(8, 0, 0, 0))).toBe('Error: no thread name');
  expect(problem(record(0x04, Buffer.alloc(23)))).toBe('Error: record 4: a length of 23');
  expect(problem(string(2, 'b').subarray(0, -1))).toBe('Error: record 1: cut by the end of the file');
});

for (const name of PROFILES) {
  test(`${name}: written and read again it is the same, in both forms`, () => {
    const source = golden(`${name}.hprof`);
    for (const chosen of [{}, { cut: 'off' }]) {
      const { profile } = readInput(source, chosen);
      const expected = sortedStacks(foldedStacks(profile, WHOLE));
      const binary = binaryOf(profile);
      expect(stacksOf(binary, WHOLE, chosen.cut === undefined ? {} : chosen)).toEqual(expected);
      expect(stacksOf(textOf(profile), WHOLE, chosen)).toEqual(expected);
      const strict = readStrictHprof(binary);
      const original = readStrictHprof(source);
      expect(strict.totalSamples).toBe(original.totalSamples);
      expect(strict.traces.map(({ frames, count }) => JSON.stringify([frames, count])).sort()).toEqual(
        original.traces.map(({ frames, count }) => JSON.stringify([frames, count])).sort(),
      );
      if (chosen.cut === undefined && original.totalSamples > 0) expect(strict.depth).toBe(original.depth);
    }
  });

  test(`${name}: the text has Android's lines`, () => {
    const theirs = Buffer.from(golden(`${name}.android.hprof.txt`)).toString('utf8');
    const ours = Buffer.from(textOf(readInput(golden(`${name}.hprof`)).profile)).toString('utf8');
    expect(linesOf(ours)).toEqual(linesOf(theirs));
  });
}

for (const name of LOGS) {
  test(`a log, ${name}: written and read again it is the same, and Android would read it`, () => {
    const { profile } = readInput(goldenLog(name));
    const expected = sortedStacks(foldedStacks(profile, BY_NAME));
    const binary = binaryOf(profile);
    readStrictHprof(binary);
    expect(stacksOf(binary, BY_NAME)).toEqual(expected);
    expect(stacksOf(textOf(profile), BY_NAME, { cut: 'off' })).toEqual(expected);
  });

  test(`a log, ${name}: with a depth limit the innermost frames are left`, () => {
    const { profile } = readInput(goldenLog(name));
    const cut = new Map<string, number>();
    for (const [stack, count] of foldedStacks(profile, BY_NAME)) {
      const [thread, ...frames] = stack.split(';');
      const key = [thread, ...frames.slice(-5)].join(';');
      cut.set(key, (cut.get(key) ?? 0) + count);
    }
    const binary = binaryOf(profile, 5);
    const strict = readStrictHprof(binary);
    expect(strict.depth).toBe(5);
    expect(Math.max(...strict.traces.map(({ frames }) => frames.length))).toBe(5);
    expect(stacksOf(binary, BY_NAME, { cut: 'off' })).toEqual(sortedStacks(cut));
    expect(stacksOf(textOf(profile, 5), BY_NAME, { cut: 'off' })).toEqual(sortedStacks(cut));
    expect(stacksOf(binary, BY_NAME).filter((stack) => stack.includes('(truncated at depth 5);')).length).toBeGreaterThan(0);
    // What was cut once is not cut less by a larger limit, nor marked twice.
    const again = binaryOf(readInput(binary).profile, 9);
    expect(readStrictHprof(again).depth).toBe(5);
    expect(stacksOf(again, BY_NAME)).toEqual(stacksOf(binary, BY_NAME));
  });
}

test('the command writes both forms, with a limit', async () => {
  const path = join(temporaryFolder(), 'out.hprof');
  const pieces: Buffer[] = [];
  const run = await runCli(['export', goldenPath('hello'), '--format', 'hprof', '--depth', '3'], {
    stdout: (piece) => void pieces.push(Buffer.from(piece)),
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  await runCli(['export', goldenPath('hello'), '--format', 'hprof', '--depth', '3', '-o', path]);
  expect(readFileSync(path).equals(Buffer.concat(pieces))).toBe(true);
  expect(readStrictHprof(readFileSync(path)).depth).toBe(3);
  const text = await runCli(['export', path, '--format', 'hprof-text']);
  const binary = await runCli(['export', '-', '--format', 'collapsed'], { stdin: readFileSync(path) });
  const ofText = await runCli(['export', '-', '--format', 'collapsed'], { stdin: Buffer.from(text.stdout) });
  expect(ofText.stdout).toBe(binary.stdout);
  expect(binary.stdout.split('\n').length).toBeGreaterThan(5);
  const wrong = await runCli(['export', path, '--format', 'lean', '--depth', '3']);
  expect([wrong.status, wrong.stderr.split('\n')[0]]).toEqual([
    2,
    'leanscope: --depth is for --format hprof|hprof-text; see leanscope export --help',
  ]);
});

/** Lines without the numbers and groups that a profile does not keep, in an order of their own. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('THREAD END'))
    .map((line) =>
      line
        .replace(/^TRACE \d+/, 'TRACE')
        .replace(/obj=\d+/, 'obj')
        .replace(/group="[^"]*"/, 'group')
        .replace(/^(CPU SAMPLES BEGIN \(total = \d+\)).*/, '$1')
        .replace(/^ *\d+ +[\d.]+% +[\d.]+%( +\d+ +)\d+ /, '$1'),
    )
    .sort();
}
