import { expect, test } from 'vitest';
import { emptyText, awaitsSamples, whyLeftOut } from '../../../renderer/panes/EmptyPane.tsx';
import { logFacts } from '../../../renderer/shell/Details.tsx';
import { stateText } from '../../../renderer/shell/log-state.tsx';
import { type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import type { Choice } from '../../../shared/facts/choice.ts';
import type { Epoch, LogId } from '../../../shared/protocol/messages.ts';
import { logStatus, profileSummary } from '../../support/window-events.ts';

function viewOf(change: Parameters<typeof logStatus>[0], more: Partial<LogView> = {}): LogView {
  return { ...newLogView('host:1', 1 as LogId, 'a.hpl', '/logs'), status: logStatus(change), ...more };
}

const damage = {
  what: 'unknown record',
  byteOffset: 16_399,
  record: 411,
  found: 'type 99',
  expected: '1, 2, 3 or 4',
};

test('every state has its words', () => {
  const chip = (log: LogView): string => {
    const { tone, text } = stateText(log);
    return `${tone}: ${text}`;
  };
  expect(chip(newLogView('host:1', 1 as LogId, 'a', ''))).toBe('busy: opening');
  expect(chip(viewOf({ state: 'reading', readBytes: 428 }))).toBe('busy: reading 42 %');
  expect(chip(viewOf({ state: 'reading', readBytes: 0, fileBytes: 0 }))).toBe('busy: reading 0 %');
  expect(chip(viewOf({ state: 'live' }))).toBe('live: live');
  expect(chip(viewOf({ state: 'live' }, { rate: 248.2 }))).toBe('live: live, 248 /s');
  expect(chip(viewOf({ state: 'idle' }))).toBe('quiet: complete');
  // It has grown, or a JVM may go on with it.
  expect(chip(viewOf({ state: 'idle' }, { hasGrown: true }))).toBe('quiet: idle');
  expect(chip(viewOf({ state: 'idle' }, { isRecording: true }))).toBe('quiet: idle');
  const merged = { merge: { parts: ['host:1', 'host:2'], names: ['a', 'b'], threads: 'groups' } } as const;
  expect(chip(viewOf({ state: 'idle' }, merged))).toBe('quiet: complete');
  expect(chip(viewOf({ state: 'idle', detail: 'b.hpl, file gone.' }, merged))).toBe('warning: logs missing');
  expect(chip(viewOf({ state: 'live', detail: 'b.hpl, waiting.' }, merged))).toBe(
    'warning: live, logs missing',
  );
  expect(chip(viewOf({ state: 'waiting' }))).toBe('warning: waiting');
  expect(chip(viewOf({ state: 'gone' }))).toBe('warning: file gone');
  expect(chip(viewOf({ state: 'damaged', damage, acceptedBytes: 440, pendingBytes: 560 }))).toBe(
    'problem: damaged, 56 % missing',
  );
  expect(chip(viewOf({ state: 'full', readBytes: 330 }))).toBe('warning: first 33 % only');
  expect(chip(viewOf({ state: 'failed' }))).toBe('problem: failed');
  expect(chip(viewOf({ state: 'live', samples: 0 }, { isHeld: true }))).toBe('frozen: frozen');
  expect(chip(viewOf({ state: 'live', samples: 1 }, { isHeld: true }))).toBe(
    'frozen: frozen, 1 newer sample',
  );
  expect(stateText(viewOf({ state: 'live' }, { rate: 248.2 }), false).text).toBe('not connected');
  // Where samples have times, a range that ends while the log goes on.
  const range = { kind: 'between', from: undefined, to: '9' } as const;
  const until9 = { scope: { ...EMPTY_SCOPE, range } };
  const frozenBy = { to: '9', samples: 40, before: undefined };
  expect(chip(viewOf({ state: 'live' }, until9))).toBe('frozen: frozen');
  const ofRun = { shownEpoch: logStatus({}).epoch };
  expect(chip(viewOf({ state: 'live', samples: 52 }, { ...until9, ...ofRun, frozenBy }))).toBe(
    'frozen: frozen, 12 newer samples',
  );
  // Another run of the writer is newer as a whole; a range with another end was not frozen then.
  expect(chip(viewOf({ state: 'live', samples: 52, epoch: 1 }, { ...until9, ...ofRun, frozenBy }))).toBe(
    'frozen: frozen, 52 newer samples',
  );
  const earlier = { ...frozenBy, to: '7' };
  expect(chip(viewOf({ state: 'live', samples: 52 }, { ...until9, frozenBy: earlier }))).toBe(
    'frozen: frozen',
  );
  expect(chip(viewOf({ state: 'idle' }, { ...until9, hasGrown: true }))).toBe('frozen: frozen');
  // It has begun anew, and is read.
  expect(chip(viewOf({ state: 'reading' }, { ...until9, hasGrown: true }))).toBe('frozen: frozen');
  // A range of a log that does not grow, or of which more is still being read, is just a range.
  expect(chip(viewOf({ state: 'idle' }, until9))).toBe('quiet: complete');
  expect(chip(viewOf({ state: 'idle', samples: 40 }, { ...until9, ...ofRun, frozenBy }))).toBe(
    'frozen: frozen',
  );
  expect(chip(viewOf({ state: 'reading', readBytes: 428 }, until9))).toBe('busy: reading 42 %');
});

test('progress is known only while the file is being caught up', () => {
  expect(stateText(viewOf({ state: 'reading', readBytes: 250 })).progress).toBe(0.25);
  expect(stateText(viewOf({ state: 'reading', readBytes: 9_999 })).progress).toBe(1);
  expect(stateText(viewOf({ state: 'live' })).progress).toBeUndefined();
});

test('a log is being read until the mirror has it and the screen shows it', () => {
  const summary = profileSummary();
  const host = { nodes: 800, samples: 100 };
  const epoch = 0 as Epoch;
  const seen = (
    state: 'reading' | 'live' | 'idle',
    nodes: number,
    samples: number,
    more: Partial<LogView> = {},
  ): string => {
    const log = viewOf(
      { ...host, state, readBytes: state === 'reading' ? 500 : 1000 },
      {
        shownEpoch: epoch,
        mirrored: { at: 0, nodes, complete: nodes === host.nodes },
        summary: { ...summary, samples },
        ...more,
      },
    );
    return stateText(log).text;
  };
  expect(seen('reading', 800, 10)).toBe('reading 50 %');
  expect(seen('reading', 400, 10)).toBe('reading 25 %');
  expect(seen('idle', 400, 10)).toBe('reading 50 %');
  expect(seen('idle', 800, 10)).toBe('reading 100 %');
  expect(seen('idle', 800, 100)).toBe('complete');
  expect(seen('live', 400, 95)).toBe('reading 50 %');
  expect(seen('live', 800, 0)).toBe('reading 100 %');
  expect(seen('live', 800, 95)).toBe('live');
  // The samples on screen are those of the run before.
  expect(seen('idle', 800, 100, { shownEpoch: 3 as Epoch })).toBe('reading 100 %');
  expect(seen('idle', 400, 10, { isHeld: true })).toBe('frozen, 90 newer samples');
});

test('the details say what the file is, and how much of it was used', () => {
  const log = viewOf({
    fileBytes: 400,
    readBytes: 400,
    acceptedBytes: 750,
    skippedBytes: 250,
    spanNs: 89.1e6,
    deepestStack: 128,
  });
  expect(logFacts(log).map(([name, value]) => `${name}: ${value}`)).toEqual([
    'File: 400 B',
    'Unpacked: 1.0 kB',
    'Used: 750 B (75.0 %)',
    'Deepest stack: 128 frames',
    'Span: 89.1 ms',
  ]);
});

test('details count what the top row has no space for', () => {
  const summary = profileSummary({ samples: 20, threads: 3, methods: 1_200, nodes: 5 });
  const facts = logFacts(viewOf({}, { summary })).map(([name, value]) => `${name}: ${value}`);
  expect(facts).toContain('Samples: 20');
  expect(facts).toContain('Threads: 3');
  expect(facts).toContain('Methods: 1,200');
});

test('samples that came before the first status are counted', () => {
  const summary = profileSummary({ samples: 20, threads: 3, methods: 1_200, nodes: 5 });
  const log = { ...newLogView('host:1', 1 as LogId, 'a.hpl', '/logs'), summary };
  expect(logFacts(log).map(([name, value]) => `${name}: ${value}`)).toEqual([
    'Samples: 20',
    'Threads: 3',
    'Methods: 1,200',
    'Call nodes: 5',
  ]);
});

test('what is being read, or is on its way, is waited for without a word', () => {
  const summary = profileSummary({ threads: 0, methods: 0, nodes: 0 });
  expect(awaitsSamples(newLogView('host:1', 1 as LogId, 'a', ''))).toBe(false);
  expect(awaitsSamples(viewOf({ state: 'reading', samples: 0 }))).toBe(true);
  expect(awaitsSamples(viewOf({ state: 'idle', samples: 5 }, { summary }))).toBe(true);
  expect(awaitsSamples(viewOf({ state: 'idle', samples: 5 }, { summary: { ...summary, samples: 5 } }))).toBe(
    false,
  );
  expect(awaitsSamples(viewOf({ state: 'idle', samples: 0 }, { summary }))).toBe(false);
  expect(awaitsSamples(viewOf({ state: 'live', samples: 0 }, { summary }))).toBe(false);
  expect(awaitsSamples(viewOf({ state: 'failed', samples: 5 }, { summary }))).toBe(false);
});

test('what leaves a method out is named, and nothing that leaves nothing out', () => {
  const summary = profileSummary({ samples: 5 });
  expect(whyLeftOut(viewOf({}, { summary, hidesErrors: true }))).toBe('It has no samples yet.');
  const hidden = { ...summary, hidden: { samples: 2, time: 0 } };
  expect(whyLeftOut(viewOf({}, { summary: hidden, hidesErrors: true }))).toMatch(
    /^The choice of samples with a stack leaves it out\. /,
  );
});

test('an empty pane says why', () => {
  const empty = (log: LogView, hidesErrors = false, isFlat = false): string =>
    emptyText({ ...log, hidesErrors }, isFlat)?.title ?? '-';
  const summary = profileSummary({ samples: 5 });
  const unheardOf = newLogView('host:1', 1 as LogId, 'a', '');
  expect(empty(unheardOf)).toBe('-');
  expect(empty({ ...unheardOf, summary: { ...summary, samples: 0 } })).toBe('-');
  expect(empty(viewOf({ state: 'live' }))).toBe('No samples yet');
  expect(empty(viewOf({ state: 'idle' }))).toBe('No samples in this file');
  const waiting = 'Waiting for /logs/a.hpl. It opens when the file appears.';
  expect(emptyText(viewOf({ state: 'waiting', detail: waiting }), false)).toEqual({
    title: 'Waiting for the file',
    text: waiting,
    action: 'tryAgain',
  });
  expect(emptyText(viewOf({ state: 'waiting' }), false)?.text).toBe('It opens when it appears.');
  expect(empty(viewOf({ state: 'failed' }))).toBe('Cannot open this file');
  expect(empty(viewOf({ state: 'damaged' }))).toBe('The file is damaged before its first sample');
  expect(empty(viewOf({}, { summary, searchText: 'x' }), false, true)).toBe(
    'No method matches \u201cx\u201d',
  );
  const errors = { ...summary, hidden: { samples: 5, time: 0 } };
  expect(empty(viewOf({}, { summary: errors }), true)).toBe('No sample has a stack');
  expect(empty(viewOf({}, { summary: errors, searchText: 'x' }), true, true)).toBe('No sample has a stack');
  expect(empty(viewOf({}, { summary }), true)).toBe('-');
  expect(empty(viewOf({}, { summary }))).toBe('-');
});

test('a file without samples: another sample type is named only where one can be chosen', () => {
  const named = { name: '', hint: '' };
  const sampleType: Choice = { ...named, id: 'sample-type', kind: 'one', options: [], chosen: 'cpu' };
  const period: Choice = {
    ...named,
    id: 'period',
    kind: 'number',
    unit: 'ms',
    suggested: 10,
    chosen: undefined,
  };
  const said = (change: Parameters<typeof logStatus>[0]): string | undefined =>
    emptyText(viewOf({ state: 'idle', samples: 0, format: 'jfr', ...change }), false)?.text;
  expect(said({ choices: [period, sampleType] })).toBe(
    'Another sample type may have samples. Choose it in the top row.',
  );
  expect(said({ choices: [period] })).toBeUndefined();
  expect(said({ choices: [] })).toBeUndefined();
  // What is known is said first.
  expect(said({ choices: [sampleType], notes: ['No execution samples.'] })).toBe('No execution samples.');
  expect(said({ format: 'honest-log' })).toMatch(/^The agent takes samples while/);
});

test('an empty pane names its true cause: the scope, the zoom, the search or the filter', () => {
  const said = (
    { outside = 0, beyond = 0, names }: { outside?: number; beyond?: number; names?: number },
    change: Partial<LogView> = {},
  ): unknown => {
    const summary = profileSummary({
      samples: 5,
      outside: { samples: outside, time: 0 },
      beyondZoom: { samples: beyond, time: 0 },
    });
    const search =
      names === undefined ? undefined : { text: 'x', problem: undefined, names, samples: 0, time: 0 };
    const log = viewOf({ state: 'idle' }, { summary, ...change });
    const text = emptyText({ ...log, search }, true);
    return [text?.title, text?.action];
  };
  const searched = { searchText: 'x' };
  const filtered = { where: [{ kind: 'name', text: 'b' }] as never };
  // The scope or the zoom leave nothing, whatever is searched.
  expect(said({ outside: 5, names: 1 }, searched)).toEqual(['Nothing is in this scope', 'clearScope']);
  expect(said({ outside: 2, beyond: 3 }, filtered)).toEqual([
    'Nothing in this scope is below the frame',
    'resetZoom',
  ]);
  // Something is left, but no match in it.
  expect(said({ outside: 2, names: 0 }, searched)).toEqual([
    'No method matches \u201cx\u201d',
    'clearSearch',
  ]);
  expect(said({ outside: 2, names: 1 }, searched)).toEqual([
    'No method in this scope matches \u201cx\u201d',
    'clearSearch',
  ]);
  expect(said({ beyond: 2, names: 1 }, searched)).toEqual([
    'No method below the zoom matches \u201cx\u201d',
    'clearSearch',
  ]);
  // A filter, of what matches the search; of what the zoom leaves.
  expect(said({ names: 1 }, { ...searched, ...filtered })).toEqual([
    'No row has these names and numbers',
    'clearFilter',
  ]);
  expect(said({ names: 0 }, { ...searched, ...filtered })).toEqual([
    'No method matches \u201cx\u201d',
    'clearSearch',
  ]);
  expect(said({ beyond: 2 }, filtered)).toEqual([
    'Nothing below the zoom has these names and numbers',
    'resetZoom',
  ]);
});

test('where a filter leaves nothing below a zoom, it is not said that no row passes it', () => {
  const log = {
    ...viewOf({ state: 'idle' }),
    summary: profileSummary({ samples: 5 }),
    where: [{ kind: 'name', text: 'b' }] as never,
  };
  const said = [false, true].map((isZoomed) => emptyText(log, false, isZoomed));
  expect(said.map((each) => [each?.title, each?.action])).toEqual([
    ['No row has these names and numbers', 'clearFilter'],
    ['Nothing below the zoom has these names and numbers', 'resetZoom'],
  ]);
});
