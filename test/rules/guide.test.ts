import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../shared/formats/formats.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT } from './source-files.ts';

/** Cells of the table's rows, without the blanks that align them. */
function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** Its decoder does not follow; `RecordingFollower` passes on what a JVM flushes. */
const RECORDING = 'jfr';

test('the table of formats agrees with the formats', () => {
  const page = readFileSync(join(ROOT, 'docs/user/formats.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## The table'), page.indexOf('\n## Archives'));
  const rows = new Map(tableRows(section).map(([name, ...cells]) => [name, cells]));
  const found = FORMATS.map(({ name }) => {
    const [files, , growing, unknown] = rows.get(name) ?? [];
    return [name, files, growing, unknown];
  });
  const expected = FORMATS.map(({ id, name, extensions, follows, notRecorded }) => [
    name,
    extensions.map((extension) => `\`${extension}\``).join(' '),
    follows ? 'followed' : id === RECORDING ? 'see below' : 'no',
    notRecorded.join('; '),
  ]);
  expect(found).toEqual(expected);
  expect(FORMATS.filter(({ name }) => rows.get(name)?.[1] === '')).toEqual([]);
  // And the two lines of its head.
  expect(rows.size).toBe(FORMATS.length + 2);
});

/** The files that the examples of the guide name, and the samples that stand for them. */
const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  'app.hpl': 'assets/shop.hpl.gz',
  'app.jfr': 'assets/shop.jfr.gz',
  'before.hpl': 'assets/shop.hpl.gz',
  'after.hpl': 'assets/shop.hpl.gz',
  'before.jfr': 'assets/shop.jfr.gz',
  'after.jfr': 'assets/shop.jfr.gz',
  'requests.jfr': 'test/golden/jfr/requests-jdk25.jfr.gz',
};

/** The folder of the page about datasets, which its first commands write. */
const EXAMPLE_DATASET = 'fleet';

/** Commands of a page: the lines of its blocks of shell. Blocks of a console need a JVM, a display or a network. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/^```sh\n([^`]*)^```/gm), ([, block]) =>
    block.split('\n').filter((line) => line !== ''),
  ).flat();
}

/** The words of `leanscope …` up to a pipe, without quotation marks. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.split(' | ')[0].matchAll(/'[^']*'|"[^"]*"|\S+/g), ([word]) =>
    word.replace(/^(['"])(.*)\1$/, '$2'),
  );
}

test('every command of the guide works as it is written, on the samples', async () => {
  const folder = temporaryFolder();
  for (const [name, sample] of Object.entries(EXAMPLE_FILES))
    copyFileSync(join(ROOT, sample), join(folder, name));
  const placed = (word: string, before: string | undefined): string => {
    if (before === '-o' || Object.hasOwn(EXAMPLE_FILES, word) || word === EXAMPLE_DATASET)
      return join(folder, word);
    return word.startsWith('assets/') ? join(ROOT, word) : word;
  };
  const pages = readdirSync(join(ROOT, 'docs/user')).map((name) => `docs/user/${name}`);
  const commands = ['README.md', ...pages].flatMap((page) => commandsOf(page).map((line) => [page, line]));
  expect(commands.length).toBeGreaterThan(30);
  const failed: unknown[] = [];
  for (const [page, command] of commands) {
    const [program, ...words] = wordsOf(command);
    const argv = words.map((word, at) => placed(word, words[at - 1]));
    const { status, stdout, stderr } = await runCli(argv);
    const out = argv[argv.indexOf('-o') + 1];
    const written = argv.includes('-o') ? statSync(out, { throwIfNoEntry: false })?.size : stdout.length;
    if (program !== 'leanscope' || status !== 0 || (written ?? 0) === 0)
      failed.push([page, command, status, stderr]);
  }
  expect(failed).toEqual([]);
});

test('README is a page, and the manual is in docs/user', () => {
  expect(statSync(join(ROOT, 'README.md')).size).toBeLessThanOrEqual(9 * 1024);
});
