import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Function as PprofFunction,
  Line,
  Location,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import { expect, test } from 'vitest';
import { EXPORT_FORMAT_IDS, exportFormat, isBinary } from '../../../shared/export/export-formats.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Everything but printable characters, apart from the line breaks and TABs of the output itself. */
const INTERPRETED = /[^\P{C}\n\t\u200d\ufeff\ufffe\uffff]|[\u2028\u2029]/u;

const TERMINAL = '\x1b]0;pwned\x07\x1b[31mred\x9b1m\u202etxt.\ta\r\nb\0';

/** A pprof profile of one sample whose every text is `TERMINAL`, with two sample types. */
function hostilePprof(): Uint8Array {
  const stringTable = new StringTable();
  const text = (value: string): number => stringTable.dedup(value);
  const type = (name: string): ValueType =>
    new ValueType({ type: text(name + TERMINAL), unit: text(`things${TERMINAL}`) });
  return new Profile({
    sampleType: [type('a'), type('b')],
    sample: [new Sample({ locationId: [1], value: [1, 2] })],
    location: [new Location({ id: 1, line: [new Line({ functionId: 1, line: 1 })] })],
    function: [new PprofFunction({ id: 1, name: text(`f${TERMINAL}`), filename: text(`g${TERMINAL}`) })],
    stringTable,
    comment: [text(TERMINAL)],
  }).encode();
}

/** A speedscope file with one sample per name. */
function hostileSpeedscope(): string {
  const frames = HOSTILE_NAMES.map((name) => ({ name, file: name }));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames },
    profiles: HOSTILE_NAMES.map((name, at) => ({
      type: 'sampled',
      name,
      unit: 'none',
      startValue: 0,
      endValue: 1,
      samples: [[at]],
      weights: [1],
    })),
  });
}

/** A method of the profiles above has this key, for the formats that need one. */
const METHODS = ['f\\x1b]0;pwned\\x07\\x1b[31mred\\x9b1m\\u202etxt.\\x09a\\x0d\\x0ab\\x00', '<init>'];

/** Of a profile without times of samples, `timeline` is refused. A picture is bytes. */
const OUTPUTS: readonly (readonly [command: string, ...options: string[]])[] = [
  ['summary'],
  ['summary', '--json'],
  ...EXPORT_FORMAT_IDS.filter(
    (format) => !isBinary(exportFormat(format)) && format !== 'png' && format !== 'timeline',
  ).map((format): [string, ...string[]] => ['export', '--format', format]),
  ['export', '--format', 'tree', '--threads', 'id'],
  ['export', '--format', 'collapsed', '--threads', 'name'],
];

test.each(OUTPUTS)(
  'X04 D16: nothing of a file reaches the terminal uninterpreted: %s %s %s',
  async (...argv) => {
    const folder = temporaryFolder();
    const pprof = join(folder, `evil${TERMINAL}.pb`.replaceAll('\0', ''));
    writeFileSync(pprof, hostilePprof());
    const speedscope = join(folder, 'names.speedscope.json');
    writeFileSync(speedscope, hostileSpeedscope());
    for (const [at, path] of [pprof, speedscope].entries()) {
      const method = /callers|callees/.test(argv[2]) ? ['--method', METHODS[at]] : [];
      const { status, stdout, stderr } = await runCli([...argv, ...method, path]);
      expect([status, stderr]).toEqual([0, '']);
      expect(INTERPRETED.exec(stdout.replaceAll('\r\n', '\n'))).toBeNull();
      const separators = { flat: 4, tree: 5 }[argv[2]];
      if (separators === undefined) continue;
      for (const line of stdout.trimEnd().split('\n'))
        expect(line.match(/\t/g), line).toHaveLength(separators);
    }
  },
);

test('TABs and line breaks in names begin no cell and no line: collapsed and CSV', async () => {
  const path = join(temporaryFolder(), 'evil.pb');
  writeFileSync(path, hostilePprof());
  const collapsed = await runCli(['export', '--format', 'collapsed', path]);
  expect(collapsed.stdout).toMatch(/^f[^\t\n\r]*\\x09a\\x0d\\x0ab[^\t\n\r]* 2\n$/);
  const csv = await runCli(['export', '--format', 'csv', path]);
  const lines = csv.stdout.trimEnd().split('\r\n');
  // The title and one method, whose name has commas in no place.
  expect(lines).toHaveLength(2);
  expect(lines[1]).not.toMatch(/[\t\r\n]/);
  expect(lines[1].split(',').length).toBe(lines[0].split(',').length);
});

test('D16: messages show what they quote: damage, a choice, a key, an option, a file name', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'names.speedscope.json');
  writeFileSync(path, hostileSpeedscope());
  const broken = join(folder, 'broken.json');
  // The damage text of JSON quotes the bytes that it found.
  writeFileSync(
    broken,
    `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[]}\x9b31mRED\u202e x"profiles":[]}`,
  );
  const missing = join(folder, TERMINAL.replaceAll('\0', ''));
  for (const argv of [
    ['summary', broken],
    ['summary', path, '--choose', `profile=${TERMINAL}`],
    ['export', path, '--format', 'callers', '--method', TERMINAL],
    ['export', path, '--format', TERMINAL],
    ['summary', `--${TERMINAL}`],
    ['summary', missing],
    ['export', path, '--format', 'flat', '-o', join(missing, 'x')],
  ]) {
    const { status, stderr } = await runCli(argv);
    expect(status).not.toBe(0);
    expect(stderr).not.toBe('');
    expect(INTERPRETED.exec(stderr)).toBeNull();
    expect(stderr.trimEnd()).not.toMatch(/[\n\t]/);
  }
});

test('a method is found by the key that flat prints', async () => {
  const path = join(temporaryFolder(), 'hostile.pb');
  writeFileSync(path, hostilePprof());
  const { stdout } = await runCli(['export', path, '--format', 'flat']);
  const key = stdout.split('\t')[0];
  expect(key).toContain('\\x1b]0;pwned\\x07');
  const callers = await runCli(['export', path, '--format', 'callers', '--method', key]);
  expect([callers.status, callers.stdout.split('\t')[1]]).toEqual([0, key]);
});
