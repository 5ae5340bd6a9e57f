import { expect, test } from 'vitest';
import type { ExportSource, MirrorEvent } from '../../../renderer/profile-worker/mirror-messages.ts';
import { Exports, isOfCancelledExport } from '../../../renderer/store/export-view.ts';
import { receive, withoutLog } from '../../../renderer/store/events/receive.ts';
import { INITIAL_STATE, newLogView, type WindowState } from '../../../renderer/store/state/window-state.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';

const source = (id: number): ExportSource => ({
  job: {
    id,
    format: 'lean',
    compared: undefined,
    names: { base: '', next: '' },
    fileName: 'a.lean.txt',
    threads: 'all',
    zoom: undefined,
    isBottomUp: false,
    pixels: 1200,
    theme: 'dark',
    colourBy: 'package',
    orientation: 'flame',
    order: { by: 'selfCount', descending: true },
    title: 'a',
    units: SAMPLES_AND_TIME,
    facts: undefined,
  },
  query: INITIAL_QUERY,
  profile: [],
  base: undefined,
});

const waitingFor = (...ids: readonly number[]): WindowState => ({
  ...INITIAL_STATE,
  connection: { state: 'open' },
  logs: ['a', 'b'].map((key) => newLogView(key, undefined, key, '')),
  exporting: ids.map((id) => ({ id, log: id < 10 ? 'a' : 'b', fileName: 'a.lean.txt', share: 0 })),
});

/** Exports whose ports write down what they are told. */
function recorded(): {
  readonly exports: Exports;
  readonly lines: string[];
  readonly answer: (port: number, event: MirrorEvent) => void;
} {
  const lines: string[] = [];
  const listeners: ((event: MirrorEvent) => void)[] = [];
  const exports = new Exports({
    openPort: (onEvent) => {
      const port = listeners.push(onEvent) - 1;
      return {
        post: (requests) => lines.push(...requests.map(({ type }) => `${port} ${type}`)),
        close: () => lines.push(`${port} close`),
      };
    },
    postToMirror: (log, { type }) => lines.push(`mirror of ${log} ${type}`),
    onEvent: (log, event) => lines.push(`heard of ${log}: ${event.type}`),
  });
  exports.sync(waitingFor());
  return { exports, lines, answer: (port, event) => listeners[port](event) };
}

test('a worker writes, tells how far it is, and is ended when the file is there', () => {
  const { exports, lines, answer } = recorded();
  exports.write('a', source(1));
  exports.sync(waitingFor(1));
  answer(0, { type: 'exporting', id: 1, share: 0.5 });
  answer(0, { type: 'exported', id: 1, name: 'a.lean.txt', content: new Blob(), notes: [] });
  exports.sync(waitingFor());
  expect(lines).toEqual(['0 write', 'heard of a: exporting', '0 close', 'heard of a: exported']);
});

test('what is cancelled is ended at once, the others go on; what it still says is not heard', () => {
  const { exports, lines, answer } = recorded();
  exports.write('a', source(1));
  exports.write('a', source(2));
  exports.sync(waitingFor(2));
  answer(0, { type: 'exported', id: 1, name: 'a.lean.txt', content: new Blob(), notes: [] });
  answer(1, { type: 'failed', text: 'out of memory' });
  expect(lines).toEqual(['0 write', '1 write', '0 close', '1 close', 'heard of a: exportFailed']);
});

test('a closed log is not exported any more', () => {
  const { exports, lines } = recorded();
  exports.write('a', source(1));
  exports.write('b', source(11));
  exports.sync(withoutLog(waitingFor(1, 11), 'a'));
  expect(lines).toEqual(['0 write', '1 write', '0 close']);
});

test('without a host, which serves the code of workers, the profile worker writes', () => {
  const { exports, lines } = recorded();
  exports.sync({ ...waitingFor(), connection: { state: 'lost', reason: 'it ended' } });
  exports.write('a', source(1));
  exports.write('b', source(11));
  expect(lines.splice(0)).toEqual(['mirror of a write', 'mirror of b write']);
  // When the host is back a worker of its own can be started.
  exports.sync(waitingFor(2));
  exports.write('a', source(2));
  expect(lines).toEqual(['0 write']);
});

test('a file that the profile worker finishes after its export was cancelled is not saved', () => {
  const exported: MirrorEvent = {
    type: 'exported',
    id: 1,
    name: 'a.lean.txt',
    content: new Blob(),
    notes: [],
  };
  const events: readonly MirrorEvent[] = [
    { type: 'exportSource', source: source(1) },
    { type: 'exporting', id: 1, share: 0.5 },
    exported,
    { type: 'exportFailed', id: 1, text: 'out of memory' },
  ];
  const unwanted = (state: WindowState): boolean[] =>
    events.map((event) => isOfCancelledExport(event, state));
  expect(unwanted(waitingFor(2))).toEqual([true, true, true, true]);
  expect(unwanted(waitingFor(1))).toEqual([false, false, false, false]);
  expect(isOfCancelledExport({ type: 'gap' }, waitingFor())).toBe(false);
});

test('the window knows how far each export is, and says which failed', () => {
  const tell = (state: WindowState, event: MirrorEvent): WindowState =>
    receive(state, { type: 'mirror', log: 'a', event, now: 0 });
  const half = tell(waitingFor(1, 2), { type: 'exporting', id: 2, share: 0.5 });
  expect(half.exporting.map(({ id, share }) => `${id}: ${share}`)).toEqual(['1: 0', '2: 0.5']);
  const failed = tell(half, { type: 'exportFailed', id: 1, text: 'out of memory' });
  expect(failed.exporting.map(({ id }) => id)).toEqual([2]);
  expect(failed.notices.map(({ text }) => text)).toEqual(['Nothing was exported: out of memory']);
});

test('the window says what is not in a file, and nothing when all is in it', () => {
  const after = (...notes: readonly string[]): readonly string[] => {
    const event = { type: 'exported', id: 1, name: 'shop.collapsed', content: new Blob(), notes } as const;
    const state = receive(waitingFor(1), { type: 'mirror', log: 'a', event, now: 0 });
    expect(state.exporting).toEqual([]);
    return state.notices.map(({ text }) => text);
  };
  expect(after()).toEqual([]);
  expect(after('2 stacks with zero or negative time left out', '1 count rounded to whole numbers')).toEqual([
    'Exported shop.collapsed: 2 stacks with zero or negative time left out; 1 count rounded to whole numbers.',
  ]);
});
