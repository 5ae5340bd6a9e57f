import { EMPTY_SCOPE, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import { describe, expect, test } from 'vitest';
import { type FlameZoom, INITIAL_QUERY } from '../../../shared/engine/query.ts';
import type {
  ExportJob,
  ExportSource,
  MirrorEvent,
} from '../../../renderer/profile-worker/mirror-messages.ts';
import { zoomOfRow } from '../../../renderer/panes/flame/flame-walk.ts';
import { packProfile } from '../../../renderer/profile-worker/shared-profiles.ts';
import { runExport } from '../../../renderer/profile-worker/window-export.ts';
import { MAX_NEW_NODES } from '../../../shared/delta/make-delta.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  FLAT,
  flame,
  type Handled,
  LOG,
  rowsOf,
  scoped,
  splitInto,
  TREE,
  view,
  wholeLog,
} from '../../support/driven-mirror.ts';
import { FollowedLog } from '../../support/followed-log.ts';
import { frame, log as bytesOf, thread, trace, traceStart } from '../../support/log-bytes.ts';
import { logOf } from '../../support/log-writer/write-log.ts';
import { leanText } from '../../support/mirrored-copy.ts';
import { SAMPLES_AND_TIME } from '../../../shared/profile/profile-units.ts';
import { readInput } from '../../support/read-input.ts';
import { readLog } from '../../support/read-log.ts';
import { sumSelfValues } from '../../../shared/engine/values/self-values.ts';

describe('exports', () => {
  const JOB: ExportJob = {
    id: 7,
    format: 'svg',
    compared: undefined,
    names: { base: '', next: '' },
    fileName: 'server-small.svg',
    threads: 'all',
    zoom: undefined,
    isBottomUp: false,
    pixels: 1200,
    theme: 'dark',
    colourBy: 'package',
    orientation: 'icicle',
    order: { by: 'selfCount', descending: true },
    title: 'sample',
    units: SAMPLES_AND_TIME,
    facts: undefined,
  };
  async function written(source: ExportSource): Promise<readonly MirrorEvent[]> {
    const events: MirrorEvent[] = [];
    // As it reaches another worker.
    await runExport(structuredClone(source, { transfer: source.profile }), (event) => events.push(event));
    return events;
  }
  async function textOf(events: readonly MirrorEvent[]): Promise<string> {
    const last = events.at(-1)!;
    return last.type === 'exported' ? last.content.text() : '';
  }

  function positiveTime(): number {
    const { selfValues } = readLog(LOG).profile;
    return selfValues.time.ns.subarray(0, selfValues.length).reduce((sum, ns) => sum + Math.max(0, ns), 0);
  }

  test.each(['pprof', 'speedscope', 'hprof', 'trcbin'] as const)(
    'what other viewers read holds every sample: %s',
    async (format) => {
      const driven = wholeLog(TREE);
      driven.ask({ type: 'export', job: { ...JOB, format } });
      const last = (await written(driven.last('exportSource').source)).at(-1)!;
      if (last.type !== 'exported') throw new Error(`ended with ${last.type}`);
      const read = readInput(new Uint8Array(await last.content.arrayBuffer()));
      expect(read.format).toBe(format === 'trcbin' ? 'tptp' : format);
      expect(read.decoder.damage).toBeUndefined();
      const { samples } = driven.last('summary').summary;
      // Widths cannot be negative: what has no positive time is left out.
      if (format === 'speedscope') expect(sumSelfValues(read.profile.selfValues).time).toBe(positiveTime());
      else expect(read.aggregator.sampleCount).toBe(samples);
    },
  );

  test('what is shown is written, by the name of what it is', async () => {
    const driven = wholeLog(TREE, view('regex'));
    driven.ask({ type: 'export', job: JOB });
    const events = await written(driven.last('exportSource').source);
    const last = events.at(-1)!;
    expect(last.type === 'exported' && [last.id, last.name, last.content.type]).toEqual([
      7,
      'server-small.svg',
      'image/svg+xml;charset=utf-8',
    ]);
    expect(await textOf(events)).toMatch(/^<\?xml[^]*Matched [\d.]+ %: regex/);
  });

  test.each(['flat', 'tree', 'collapsed', 'svg'] as const)(
    'errors that the window hides are not in the file either: %s',
    async (format) => {
      const driven = wholeLog(TREE);
      const errorsIn = async (hidden: boolean): Promise<boolean> => {
        driven.ask(view('', 'fqmn', hidden), { type: 'export', job: { ...JOB, format } });
        // A drawing joins errors, as the panes do.
        return /AGCT\.|No stack/.test(await textOf(await written(driven.last('exportSource').source)));
      };
      expect(await errorsIn(false)).toBe(true);
      expect(await errorsIn(true)).toBe(false);
    },
  );

  /** The view while the panes show only what is below a zoom. */
  function narrowed(zoom: FlameZoom | undefined, look: Handled): Handled {
    const narrowing = zoom && { threads: JOB.threads, zoom };
    return { ...(look as Extract<Handled, { type: 'view' }>), narrowing };
  }

  /** The lines of a file that the window exports with these rows, and what is said of it. */
  async function exported(driven: Driven, format: ExportJob['format'], look: Handled) {
    driven.ask(look, { type: 'export', job: { ...JOB, format } });
    const events = await written(driven.last('exportSource').source);
    const last = events.at(-1)!;
    const lines = (await textOf(events)).trim().split(/\r?\n/);
    return { lines, notes: last.type === 'exported' ? last.notes : [] };
  }

  test('files of rows have those that pass the filter, and those above them', async () => {
    const driven = wholeLog(TREE, FLAT);
    const { samples } = driven.last('summary').summary;
    const filtered = view('', 'fqmn', false, EMPTY_SCOPE, [
      [
        { of: 'key', comparison: 'contains', text: 'Pattern' },
        { of: 'totalShare', comparison: '>=', value: 0.5 },
      ],
    ]);
    const passes = (key: string, total: number): boolean =>
      key.includes('Pattern') && total / samples >= 0.005;
    for (const format of ['tree', 'bottom-up'] as const) {
      const { lines } = await exported(driven, format, view());
      const kept: string[] = [];
      // In pre-order, a row is kept if it passes or the row behind it is below it and kept.
      let deeper = -1;
      for (const line of lines.toReversed()) {
        const [depth, key, , total] = line.split('\t');
        if (deeper <= Number(depth) && !passes(key, Number(total))) continue;
        kept.push(line);
        deeper = Number(depth);
      }
      expect((await exported(driven, format, filtered)).lines, format).toEqual(kept.reverse());
      expect(kept.length).toBeLessThan(lines.length / 2);
    }
    const { lines: methods } = await exported(driven, 'flat', view());
    const passing = methods.filter((line) => {
      const [key, , total] = line.split('\t');
      return passes(key, Number(total));
    });
    expect(passing.length).toBeGreaterThan(3);
    expect((await exported(driven, 'flat', filtered)).lines).toEqual(passing);
    for (const format of ['csv', 'methods'] as const)
      expect((await exported(driven, format, filtered)).lines, format).toHaveLength(1 + passing.length);
    // The stacks of other programs are complete: their parts must add up.
    expect(await exported(driven, 'collapsed', filtered)).toEqual(
      await exported(driven, 'collapsed', view()),
    );
  });

  test('split methods are split in the file, as in the panes', async () => {
    const driven = wholeLog(TREE, FLAT);
    const key = 'ServerSim.deepHash';
    const split = splitInto([{ key, by: 'line' }]);
    const namesOfKey = (names: readonly string[]): string[] => names.filter((name) => name.startsWith(key));
    const { lines, notes } = await exported(driven, 'csv', split);
    driven.ask(rowsOf('flat', 0, 1_000));
    // The method, and its lines behind it.
    const shown = namesOfKey(driven.shown('flat').rows.map(({ label }) => label));
    expect(shown.length).toBeGreaterThan(3);
    expect(namesOfKey(lines.map((line) => line.split('"')[1]))).toEqual(shown);
    expect(notes).toEqual([
      'lines of split methods are rows, too: their samples are in the row of the method',
    ]);
    for (const [format, end] of [
      ['tree', '\t'],
      ['bottom-up', '\t'],
      ['collapsed', ';'],
    ] as const) {
      const text = (await exported(driven, format, split)).lines.join('\n');
      // A stack has the line instead of the method.
      expect([format, text.includes(`${key}:`), text.includes(`${key}${end}`)]).toEqual([
        format,
        true,
        false,
      ]);
    }
    expect((await exported(driven, 'tree', split)).notes).toEqual([]);
  });

  test.each<Transform>([
    { kind: 'merge', key: 'ServerSim$Chain.next' },
    { kind: 'focus', key: 'java.lang.Thread.run' },
    { kind: 'drop', key: 'ServerSim$Chain.next' },
  ])('a picture begins with the zoomed frame under %j', async (transform) => {
    const driven = wholeLog(flame(), scoped({ transforms: [transform] }));
    const rows = flameRows(driven.last('flame').layout).filter(({ kind }) => kind === 'frame');
    for (const row of [rows[5], rows[12], rows[20]]) {
      const zoom = { row: row.id, run: undefined };
      driven.ask(flame({ zoom }), { type: 'export', job: { ...JOB, zoom } });
      const text = await textOf(await written(driven.last('exportSource').source));
      // The first title is that of the picture.
      const [, title] = [...text.matchAll(/<title>([^<]*)/g)].map(([, each]) => each);
      expect(title).toContain(row.label);
      expect(title).toMatch(new RegExp(`\\b${row.weight.toLocaleString('en')} samples?\\b`));
    }
  });

  test('what grows after it was asked for is not in it', async () => {
    const log = new FollowedLog();
    const driven = new Driven(TREE);
    const half = LOG.length >> 1;
    log.append(LOG.subarray(0, half));
    driven.ask({ type: 'delta', message: log.delta() });
    const before = leanText(log.aggregator.profile);
    driven.ask({ type: 'export', job: { ...JOB, format: 'lean' } });
    log.append(LOG.subarray(half), true);
    driven.ask({ type: 'delta', message: log.delta() });
    driven.ask({ type: 'export', job: { ...JOB, format: 'lean' } });
    const sources = driven.events.flatMap((event) => (event.type === 'exportSource' ? [event.source] : []));
    const texts = await Promise.all(sources.map(async (source) => textOf(await written(source))));
    expect(texts).toEqual([before, leanText(log.aggregator.profile)]);
    expect(texts[0]).not.toBe(texts[1]);
  });

  test.each(['lean', 'json', 'speedscope', 'pprof', 'hprof', 'hprof-text', 'trcbin', 'timeline'] as const)(
    'hidden errors are hidden without a scope, too: %s',
    async (format) => {
      // The second of three samples is an error.
      const traces = [trace(9, 1, frame(1, 1, 1)), traceStart(-5, 9, 2), trace(9, 4, frame(1, 1, 2))];
      const { profile } = readLog(bytesOf(thread(9, 'main'), ...traces), undefined, { samples: true });
      const source = (scope: Scope, hidesErrors: boolean): ExportSource => ({
        job: { ...JOB, format },
        query: { ...INITIAL_QUERY, frames: 'line', keys: 'line', hidesErrors, scope },
        base: undefined,
        profile: packProfile(profile, true),
      });
      const inScope = async (scope: Scope, hidesErrors: boolean): Promise<string> =>
        // Only JSON says that there was a scope.
        (await textOf(await written(source(scope, hidesErrors)))).replace(/^"scope":.*$/m, '');
      const everything = {
        ...EMPTY_SCOPE,
        range: { kind: 'between', from: undefined, to: undefined },
      } as const;
      const without = await inScope(EMPTY_SCOPE, true);
      expect(without).toBe(await inScope(everything, true));
      expect(without).not.toBe(await inScope(EMPTY_SCOPE, false));
    },
  );

  test.each(['collapsed', 'json', 'svg'] as const)(
    'a zoom that is not in scope is said to be left out, whether or not it narrows: %s',
    async (format) => {
      const driven = wholeLog(flame({ threads: 'all' }), TREE);
      const { layout } = driven.last('flame');
      const { id } = flameRows(layout).find(({ label }) => label === 'java.lang.Thread.run')!;
      const dropped = { transforms: [{ kind: 'drop', key: 'java.lang.Thread.run' }] } as const;
      for (const narrows of [true, false]) {
        const zoom = { row: id, run: undefined };
        driven.ask(narrowed(narrows ? zoom : undefined, scoped(dropped)));
        driven.ask({ type: 'export', job: { ...JOB, format, zoom } });
        const last = (await written(driven.last('exportSource').source)).at(-1)!;
        expect(last.type === 'exported' && last.notes).toEqual([
          'everything in scope is in it, not only the zoom',
        ]);
      }
    },
  );

  test('with a zoom that narrows, every format has what is below it, and otherwise it says that it has more', async () => {
    const driven = wholeLog(flame({ threads: 'all' }), TREE);
    const { layout } = driven.last('flame');
    // A frame with some of the samples, of several threads.
    const zoomed = flameRows(layout).find(({ label }) => label === 'java.lang.Thread.run')!;
    const zoom = { row: zoomed.id, run: undefined };
    const textsOf = async (format: ExportJob['format'], narrows: boolean, look: Handled = view()) => {
      driven.ask(narrowed(narrows ? zoom : undefined, look));
      driven.ask({ type: 'export', job: { ...JOB, format, zoom } });
      const events = await written(driven.last('exportSource').source);
      const last = events.at(-1)!;
      if (last.type !== 'exported') throw new Error(`ended with ${last.type}`);
      const content = new Uint8Array(await last.content.arrayBuffer());
      const read = format === 'pprof' ? readInput(content) : undefined;
      return { text: await textOf(events), notes: last.notes, read };
    };
    const sum = (text: string): number =>
      text
        .trim()
        .split('\n')
        .reduce((all, line) => all + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    const stacks = await textsOf('collapsed', true);
    expect(sum(stacks.text)).toBe(zoomed.weight);
    expect(
      stacks.text
        .trim()
        .split('\n')
        .every((line) => line.startsWith('java.lang.Thread.run')),
    ).toBe(true);
    expect(stacks.notes).toEqual([]);
    const { samples } = driven.last('summary').summary;
    const json = JSON.parse((await textsOf('json', true)).text) as { scope: unknown };
    expect(json.scope).toEqual({ samples: zoomed.weight, outside: samples - zoomed.weight, range: null });
    expect((await textsOf('pprof', true)).read?.aggregator.sampleCount).toBe(zoomed.weight);
    const whole = await textsOf('collapsed', false);
    expect([sum(whole.text), whole.notes]).toEqual([
      samples,
      ['everything in scope is in it, not only the zoom'],
    ]);
    expect((await textsOf('svg', false)).notes).toEqual([]);
    // Together with a scope that changes stacks: the same frame is zoomed into.
    const merged = { transforms: [{ kind: 'merge', key: 'java.lang.Thread.run' }] } as const;
    const gone = await textsOf('collapsed', true, scoped(merged));
    expect(sum(gone.text)).toBe(samples);
    const collapsed = { transforms: [{ kind: 'collapse', prefix: 'java.util.' }] } as const;
    expect(sum((await textsOf('collapsed', true, scoped(collapsed))).text)).toBe(zoomed.weight);
  });

  test('so does a zoom of the bottom-up graph, and the picture is of that graph', async () => {
    const driven = wholeLog(flame({ of: 'bottom-up' }), TREE);
    const { layout } = driven.last('flame');
    const rows = flameRows(layout);
    const zoomed = rows.find(({ depth, kind, weight }) => depth === 2 && kind === 'frame' && weight > 20)!;
    const called = rows[zoomed.parent];
    const zoom = zoomOfRow(layout, rows.indexOf(zoomed), undefined);
    const fileOf = async (format: ExportJob['format'], narrows = true) => {
      driven.ask(narrowed(narrows ? zoom : undefined, view()));
      driven.ask({ type: 'export', job: { ...JOB, format, zoom, isBottomUp: true } });
      const events = await written(driven.last('exportSource').source);
      const last = events.at(-1)!;
      return { text: await textOf(events), notes: last.type === 'exported' && last.notes };
    };
    const stacks = (await fileOf('collapsed')).text.trim().split('\n');
    expect(stacks.map((line) => line.slice(0, line.lastIndexOf(' ')).split(';').slice(-2).join(';'))).toEqual(
      stacks.map(() => `${zoomed.label};${called.label}`),
    );
    const total = stacks.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    expect(total).toBe(zoomed.weight);
    const { samples } = driven.last('summary').summary;
    const json = JSON.parse((await fileOf('json')).text) as { scope: unknown };
    expect(json.scope).toEqual({ samples: zoomed.weight, outside: samples - zoomed.weight, range: null });
    for (const narrows of [true, false]) {
      const picture = await fileOf('svg', narrows);
      expect(picture.text).toContain(`>${called.label} › ${zoomed.label}<`);
      expect(picture.notes).toEqual([]);
    }
    expect((await fileOf('csv', false)).notes).toEqual(['everything in scope is in it, not only the zoom']);
  });

  test('more than one delta of nodes arrives whole, and progress ends with all of it', async () => {
    const log = new FollowedLog();
    // Some 19 bytes a node.
    log.append(logOf('hostile', 25 * MAX_NEW_NODES), true);
    expect(log.aggregator.profile.nodes.length).toBeGreaterThan(MAX_NEW_NODES);
    for (const format of ['lean', 'tree', 'collapsed', 'csv', 'methods'] as const) {
      const source: ExportSource = {
        job: { ...JOB, format },
        query: { ...INITIAL_QUERY, frames: 'line', keys: 'line' },
        base: undefined,
        profile: packProfile(log.aggregator.profile, false),
      };
      const events = await written(source);
      const shares = events.flatMap((event) => (event.type === 'exporting' ? [event.share] : []));
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1), format).toBeGreaterThan(0.9);
      expect(shares.at(-1), format).toBeLessThanOrEqual(1);
      if (format === 'lean') expect(await textOf(events)).toBe(leanText(log.aggregator.profile));
    }
  });
});
