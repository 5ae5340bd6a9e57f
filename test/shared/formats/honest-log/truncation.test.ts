import { MemoryBudget } from '../../../../shared/aggregate/memory-budget.ts';
import { describe, expect, test } from 'vitest';
import type { Chosen } from '../../../../shared/facts/choice.ts';
import { HONEST_LOG } from '../../../../shared/formats/honest-log/format.ts';
import { StackDepths } from '../../../../shared/formats/honest-log/truncation.ts';
import { type Bytes, frame, log, method, thread, trace, traceStart } from '../../../support/log-bytes.ts';
import { foldedLines, methodText, stacksOf } from '../../../support/profile-stacks.ts';
import { decodeInput, type ReadInput } from '../../../support/read-input.ts';
import { GOLDEN_LOGS, goldenLog } from '../../../support/read-log.ts';

const [MAIN, A, B] = [1, 2, 3];

/** Leaf first, one trace a second. */
function logOf(...stacks: readonly (readonly number[])[]): Bytes {
  const names = ['main', 'a', 'b'].map((name, at) => method(at + 1, 'S.java', 'LS;', name));
  const traces = stacks.map((stack, at) => trace(7, 10 + at, ...stack.map((id) => frame(id, 1, 1))));
  return log(thread(7, 'main'), ...names, ...traces);
}

/** An agent with `maxFrames=3` would write the first three so. */
const CUT = logOf([A, B, A], [B, A, B], [A, A, B], [A, MAIN], [MAIN]);

const read = (bytes: Uint8Array, chosen: Chosen = {}): ReadInput => decodeInput(HONEST_LOG, bytes, chosen);

function lines({ profile }: ReadInput): string[] {
  return foldedLines(stacksOf(profile), ({ frames }) => frames.map(methodText).join(';'));
}

test('stacks of the chosen depth are below (truncated) of their thread; all others stay', () => {
  expect(lines(read(CUT))).toEqual([
    'S.a;S.b;S.a 1',
    'S.b;S.a;S.a 1',
    'S.b;S.a;S.b 1',
    'S.main 1',
    'S.main;S.a 1',
  ]);
  expect(lines(read(CUT, { cut: '3' }))).toEqual([
    '(truncated);S.a;S.b;S.a 1',
    '(truncated);S.b;S.a;S.a 1',
    '(truncated);S.b;S.a;S.b 1',
    'S.main 1',
    'S.main;S.a 1',
  ]);
  for (const cut of ['off', 'on', '', '0', '1', '2.5', '-3', 'Infinity'])
    expect(lines(read(CUT, { cut }))).toEqual(lines(read(CUT)));
});

test('(truncated) is no frame of the deepest stack', () => {
  for (const bytes of [CUT, logOf([A, B, A], [A, B, B, MAIN], [MAIN])]) {
    const { aggregator, decoder } = read(bytes, { cut: '3' });
    const deepest = read(bytes).aggregator.deepestStack;
    expect([decoder.facts().deepestStack, aggregator.deepestStack]).toEqual([deepest, 4]);
  }
});

test('the last trace is grouped in a pause, and not any more when a further frame arrives', () => {
  const { aggregator, decoder, profile } = decodeInput(HONEST_LOG, new Uint8Array(0), { cut: '3' });
  const shown = (): string[] =>
    lines({ aggregator, decoder, profile }).filter((line) => !line.endsWith(' 0'));
  decoder.append(log(logOf(), traceStart(3, 7, 10), frame(A, 1, 1), frame(B, 1, 1), frame(A, 1, 1)));
  decoder.emitOpen(false);
  expect(shown()).toEqual(['(truncated);S.a;S.b;S.a 1']);
  decoder.append(frame(MAIN, 1, 1));
  decoder.emitOpen(false);
  expect(shown()).toEqual(['S.main;S.a;S.b;S.a 1']);
});

describe('the choice', () => {
  const choiceOf = ({ decoder }: ReadInput): unknown => decoder.facts().choices;

  test('is offered where stacks look truncated, and off', () => {
    const found = read(CUT);
    expect(choiceOf(found)).toMatchObject([
      { id: 'cut', name: 'Group truncated stacks', kind: 'switch', chosen: false, on: '3' },
    ]);
    expect(found.decoder.facts().notes).toEqual([
      "3 stacks have 3 frames, probably the agent's limit (maxFrames): their callers may be missing.",
    ]);
  });

  test('is offered where it was made, whatever the stacks look like', () => {
    expect(choiceOf(read(CUT, { cut: '3' }))).toMatchObject([{ chosen: true, on: '3' }]);
    expect(choiceOf(read(CUT, { cut: '64' }))).toMatchObject([{ chosen: true, on: '64' }]);
    expect(choiceOf(read(logOf([MAIN]), { cut: '64' }))).toMatchObject([{ chosen: true, on: '64' }]);
  });

  test.each<[string, Bytes]>([
    ['without stacks', logOf()],
    ['whose deepest stacks begin like shorter ones', logOf([A, B, MAIN], [B, A, MAIN], [A, A, MAIN], [MAIN])],
    ['with one other beginning', logOf([A, B, A], [B, B, A], [A, A, A], [MAIN])],
    ['with too few of the deepest stacks', logOf([A, B, A], [B, A, B], [MAIN])],
    ['whose stacks are all of one depth', logOf([A, B, A], [B, A, B], [A, A, B])],
    ['where the only shorter traces are errors', log(logOf([A, B, A], [B, A, B], [A, A, B]), trace(7, 20))],
  ])('is not offered for a log %s', (_, bytes) => {
    expect(choiceOf(read(bytes))).toEqual([]);
    expect(read(bytes).decoder.facts().notes).toEqual([]);
  });
});

/** How the agents of the recorded logs were started is known: with these limits, and stacks that reached them. */
const LIMITS: Readonly<Record<string, number>> = {
  hello: 128,
  deeprec: 128,
  'server-small': 128,
  'javac-small': 128,
  'control-b': 20,
};

test.each(GOLDEN_LOGS)('the limit of %s is the one that its agent had, or none', (name) => {
  const { choices } = read(goldenLog(name)).decoder.facts();
  expect(choices.map((choice) => choice.kind === 'switch' && choice.on)).toEqual(
    name in LIMITS ? [String(LIMITS[name])] : [],
  );
});

test('a deeper stack ends what looked like a limit', () => {
  const depths = new StackDepths(new MemoryBudget());
  depths.note(1, MAIN);
  for (const root of [A, B, A]) depths.note(5, root);
  expect([depths.limit, depths.stacksAtLimit]).toEqual([5, 3]);
  depths.noteAgain(5);
  expect(depths.stacksAtLimit).toBe(4);
  depths.note(6, MAIN);
  expect([depths.limit, depths.stacksAtLimit]).toEqual([undefined, 1]);
  for (const root of [A, B]) depths.note(6, root);
  // Both begin stacks of 5 frames too.
  expect(depths.limit).toBeUndefined();
});
