import { callTreeOf } from '../../../shared/export/tree.ts';
import { expect, test } from 'vitest';
import {
  collectBytes,
  type OutputSink,
  type ExportInput,
  ExportRefusal,
} from '../../../shared/export/export-input.ts';
import {
  EXPORT_FORMAT_IDS,
  EXPORT_MENU,
  EXPORT_PURPOSES,
  exportFileName,
  exportFormat,
  type ExportFormatId,
  formatOfFileName,
  isBinary,
} from '../../../shared/export/export-formats.ts';
import { contentOf, SMALL_TEMPLATE } from '../../support/small-page.ts';
import { writeExport } from '../../support/write-export.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { SampleTable } from '../../../shared/profile/sample-table.ts';
import { SAMPLES, SAMPLES_AND_TIME, SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import { KEEP_ALL, type RowFilter } from '../../../shared/engine/views/filter.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCells } from '../../support/stack-cells.ts';

const { profile } = profileFromText(`
  main        main        main        main
  Shop.main   Shop.main   Shop.main   Shop.main
  Cart.add    Cart.add    Cart.pay
`);

const engine = new Engine();
engine.add('log', profile);

const samples = new SampleTable();
samples.origin = 1_000_000_000n;
// The cells of the text, each a millisecond.
for (const [at, row] of [0, 0, 1, 2].entries()) samples.append(at * 1e6, row, 1e6);

const INPUT: ExportInput = {
  profile,
  carried: contentOf(profile),
  template: SMALL_TEMPLATE,
  timeline: { samples, bounds: { from: undefined, to: undefined }, isOutside: undefined, buckets: 2 },
  units: SAMPLES_AND_TIME,
  title: 'shop',
  frames: 'fqmn',
  threads: 'all',
  recursion: 'once',
  metric: 'samples',
  filter: KEEP_ALL,
  order: { by: 'selfCount', descending: true },
  method: 'Shop.main',
  depth: undefined,
  told: () => ({
    view: engine.view('log', INITIAL_QUERY, 'name', true),
    facts: NO_LOG_FACTS,
    project: NO_PROJECT,
  }),
  drawing: {
    rows: () => callTreeOf(profile, { threads: 'all', frames: 'fqmn' }),
    root: () => undefined,
    search: undefined,
    theme: 'light',
    colourBy: 'package',
    orientation: 'flame',
    width: 800,
  },
};

function textOf(format: ExportFormatId, change: Partial<ExportInput> = {}): string {
  const pieces: string[] = [];
  const input = { ...INPUT, ...change };
  const drawing = { ...input.drawing, rows: () => callTreeOf(input.profile, input, input.values) };
  writeExport(format, { ...input, drawing }, (piece) => pieces.push(String(piece)));
  return pieces.join('');
}

test.each(EXPORT_FORMAT_IDS)(
  '%s: pieces are of the kind that the registry says, and nothing is left out',
  (format) => {
    const kinds = new Set<string>();
    const sink: OutputSink = (piece) => kinds.add(typeof piece);
    expect(writeExport(format, INPUT, sink)).toEqual([]);
    expect([...kinds]).toEqual([isBinary(exportFormat(format)) ? 'object' : 'string']);
  },
);

test('the registry says which formats cannot be written without the times of samples', () => {
  const written = (format: ExportFormatId, timeline: ExportInput['timeline']): string => {
    try {
      return Buffer.from(
        collectBytes((sink) => writeExport(format, { ...INPUT, timeline }, sink as OutputSink)),
      ).toString('hex');
    } catch (error) {
      return String(error);
    }
  };
  const differing = EXPORT_FORMAT_IDS.filter(
    (format) => written(format, INPUT.timeline) !== written(format, undefined),
  );
  expect(EXPORT_FORMAT_IDS.filter((format) => exportFormat(format).usesTimes === 'needed')).toEqual(
    differing,
  );
});

test('the registry says which formats have rows that a filter leaves out, and lines of a split method beside it', () => {
  const by = { frames: { rest: 'fqmn', split: [{ key: 'Cart.add', by: 'line' }] } } as const;
  const { profile: lined } = profileFromText(`
    main        main
    Shop.main   Shop.main
    Cart.add:12 Cart.pay
  `);
  const where: RowFilter['where'] = [[{ of: 'key', comparison: 'contains', text: 'Cart.pay' }]];
  const rowsOf = (format: ExportFormatId): string | undefined => {
    const whole = textOf(format, { profile: lined, ...by });
    const isLeftOut = textOf(format, { profile: lined, ...by, filter: { ...KEEP_ALL, where } }) !== whole;
    const hasMethod = /Cart\.add(?!:)/.test(whole);
    return !isLeftOut ? undefined : hasMethod ? 'methods' : 'calls';
  };
  for (const format of EXPORT_FORMAT_IDS)
    expect([format, exportFormat(format).rows]).toEqual([format, rowsOf(format)]);
});

test.each(EXPORT_FORMAT_IDS)('X06: %s has the same bytes each time', (format) => {
  const bytesOf = (): string => {
    const pieces: Uint8Array[] = [];
    writeExport(format, INPUT, (piece) =>
      pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece),
    );
    return Buffer.concat(pieces).toString('hex');
  };
  expect(bytesOf()).toBe(bytesOf());
});

test('the menu has each format once, labels and extensions tell formats apart', () => {
  const inMenu = EXPORT_MENU.flat();
  expect(new Set(inMenu).size).toBe(inMenu.length);
  for (const name of ['label', 'extension'] as const) {
    const values = EXPORT_FORMAT_IDS.map((id) => exportFormat(id)[name]);
    expect(new Set(values).size).toBe(values.length);
  }
});

test.each([
  ['shop.hpl', 'svg', 'shop.svg'],
  ['shop.hpl.gz', 'methods', 'shop.methods.txt'],
  ['shop.speedscope.json', 'speedscope', 'shop.speedscope.json'],
  ['app-2026.11.22', 'collapsed', 'app-2026.11.22.collapsed'],
  ['app.v2.jfr', 'csv', 'app.v2.csv'],
  ['shop', 'lean', 'shop.lean.txt'],
  ['.gz', 'pprof', 'profile.pprof'],
] as const)('%s as %s is %s', (log, format, name) => {
  expect(exportFileName(log, exportFormat(format))).toBe(name);
});

test('the list is sorted as asked for, aligned, with a header and units', () => {
  expect(textOf('methods', { order: { by: 'totalCount', descending: true } }).split('\n')).toEqual([
    ' Self %  Self samples  Self time   Total %  Total samples  Total time  Method',
    '25.00 %             1    1.00 ms  100.00 %              4     4.00 ms  Shop.main',
    '50.00 %             2    2.00 ms   50.00 %              2     2.00 ms  Cart.add',
    '25.00 %             1    1.00 ms   25.00 %              1     1.00 ms  Cart.pay',
    '',
  ]);
  const byName = textOf('methods', { order: { by: 'label', descending: true } }).split('\n');
  expect(byName.map((line) => line.split(' ').at(-1))).toEqual([
    'Method',
    'Shop.main',
    'Cart.pay',
    'Cart.add',
    '',
  ]);
});

test('the list has shares of what it is sorted by, and the names that the window shows', () => {
  const aggregator = new ProfileAggregator();
  const thread = aggregator.thread(0, 1);
  for (const [at, name] of ['add', 'pay'].entries())
    aggregator.defineMethod(aggregator.method(0, at), { file: '', className: 'Cart', methodName: name });
  aggregator.samples(thread, stackCells([0, 0, -100, -1]), 1, 9, 9e6);
  aggregator.samples(thread, stackCells([0, 1, 42, -1]), 1, 1, 91e6);
  const { profile: timed } = aggregator;
  const byTime = { profile: timed, metric: 'time', order: { by: 'selfTime', descending: true } } as const;
  expect(textOf('methods', { ...byTime, frames: 'line' }).split('\n')).toEqual([
    'Self time %  Self samples  Self time  Total time %  Total samples  Total time  Method',
    '    91.00 %             1    91.0 ms       91.00 %              1     91.0 ms  Cart.pay:42',
    '     9.00 %             9    9.00 ms        9.00 %              9     9.00 ms  Cart.add',
    '',
  ]);
  // A file without times has shares of samples, whatever is asked for.
  const counted = textOf('methods', { ...byTime, units: SAMPLES_ONLY }).split('\n');
  expect(counted[0]).toBe(' Self %  Self samples  Total %  Total samples  Method');
  expect(counted[1]).toBe('10.00 %             1  10.00 %              1  Cart.pay');
});

test('what a format cannot hold is told', () => {
  const aggregator = new ProfileAggregator();
  const thread = aggregator.thread(0, 1);
  aggregator.defineMethod(aggregator.method(0, 1), { file: '', className: 'A', methodName: 'a' });
  aggregator.samples(thread, stackCells([0, 1, 1, 1]), 1, 1.4, -5);
  const notesOf = (format: ExportFormatId, change: Partial<ExportInput> = {}): readonly string[] =>
    writeExport(format, { ...INPUT, profile: aggregator.profile, ...change }, () => undefined);
  const rounded = '1 count rounded to whole numbers';
  expect(notesOf('lean')).toEqual([]);
  expect(notesOf('collapsed')).toEqual([]);
  expect(notesOf('collapsed', { metric: 'time' })).toEqual(['1 stack with zero or negative time left out']);
  expect(notesOf('speedscope')).toEqual(['1 stack with zero or negative time left out']);
  for (const format of ['pprof', 'otlp', 'hprof', 'hprof-text', 'trcbin'] as const)
    expect(notesOf(format), format).toEqual([rounded]);
  const units = { counted: SAMPLES, value: { name: 'Size', unit: 'bytes' } } as const;
  expect(notesOf('trcbin', { units })).toEqual([rounded, 'bytes written where a trace has nanoseconds']);
  expect(notesOf('collapsed', { units, metric: 'time' })).toEqual([
    '1 stack with zero or negative size left out',
  ]);
});

test('what cannot be written is refused before the first byte', () => {
  const refused = (format: ExportFormatId, change: Partial<ExportInput>): unknown => {
    try {
      collectBytes((sink) => writeExport(format, { ...INPUT, ...change }, sink as OutputSink));
    } catch (error) {
      return error instanceof ExportRefusal ? error.reason : error;
    }
    return 'written';
  };
  const aggregator = new ProfileAggregator();
  aggregator.samples(aggregator.thread(0, 1), stackCells([0, 1, 1, 1]), 1, 2 ** 31, 1);
  expect(refused('hprof', { profile: aggregator.profile })).toBe('too many samples');
  expect(refused('hprof-text', { profile: aggregator.profile })).toBe('written');
  expect(refused('callers', { method: 'No.such' })).toBe('unknown method');
});

test('calls with time and no sample: written, or said to be left out', () => {
  const aggregator = new ProfileAggregator();
  const thread = aggregator.thread(0, 7);
  const caller = [0, 1, -100, -1] as const;
  const callee = [0, 2, -100, -1] as const;
  aggregator.samples(thread, stackCells([0, 3, -100, -1]), 1, 1, 0);
  aggregator.samples(thread, stackCells(caller), 1, 0, 500);
  // Both times are zero together.
  aggregator.samples(thread, stackCells(callee, caller), 2, 0, -500);
  // Withdrawn: neither a sample nor a time.
  aggregator.samples(thread, stackCells([0, 4, -100, -1]), 1, 0, 0);
  const pieces: (string | Uint8Array)[] = [];
  const notesOf = (format: ExportFormatId): readonly string[] =>
    writeExport(format, { ...INPUT, profile: aggregator.profile }, (piece) => pieces.push(piece));
  expect(notesOf('lean')).toEqual([]);
  expect(pieces.splice(0).join('').split('\n').slice(1, -1)).toEqual([
    'N\t1\t1\t-100\t-1\t0\t0\t500\t0',
    'N\t2\t2\t-100\t-1\t0\t0\t-500\t-500',
    'N\t1\t3\t-100\t-1\t1\t1\t0\t0',
  ]);
  expect(notesOf('trcbin')).toEqual([]);
  const trace = Buffer.concat(pieces.splice(0).map((piece) => Buffer.from(piece)));
  const { nodes, selfValues } = readInput(new Uint8Array(trace)).profile;
  expect(nodes.length).toBe(4);
  expect([...selfValues.time.ns.subarray(0, selfValues.length)].sort()).toEqual([-500, 0, 500]);
  for (const format of ['hprof', 'hprof-text'] as const)
    expect(notesOf(format), format).toContain('2 stacks without samples left out');
});

test('a file name with the extension of a format names it, and others that tools use', () => {
  for (const id of EXPORT_FORMAT_IDS)
    expect(formatOfFileName(exportFileName('a.hpl', exportFormat(id))), id).toBe(id);
  const named = ['a.folded', 'b/a.pb.gz', 'A.SVG', 'a.json', 'a.svg.gz', 'a.txt', 'svg', 'a.', '-', 'a.jfr'];
  expect(named.map(formatOfFileName)).toEqual([
    'collapsed',
    'pprof',
    'svg',
    'json',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('each format has one purpose', () => {
  expect(EXPORT_PURPOSES.flatMap(({ formats }) => formats.map(({ id }) => id)).toSorted()).toEqual(
    EXPORT_FORMAT_IDS.toSorted(),
  );
});
