import { expect, test } from 'vitest';
import { commandHelp } from '../../../electron/cli/options/commands.ts';
import { helpText } from '../../../electron/cli/help.ts';
import {
  commandOf,
  FilesToOpen,
  filesOf,
  firstWordOf,
  namesStandardInput,
  ownArguments,
  sourcesOf,
} from '../../../electron/desktop/opened-files.ts';

const files = (line: string) => filesOf(line.split(' '), '/logs/new').join(' ');

test.each([
  ['a.hpl', '/logs/new/a.hpl'],
  ['a.hpl /b.hpl ../c.hpl', '/logs/new/a.hpl /b.hpl /logs/c.hpl'],
  ['--no-sandbox a.hpl --ozone-platform=x11', '/logs/new/a.hpl'],
  ['-psn_0_12345', ''],
  ['a.hpl -- --inspect -b.hpl --', '/logs/new/a.hpl /logs/new/--inspect /logs/new/-b.hpl /logs/new/--'],
  ['file:///tmp/with%20blank.hpl', '/tmp/with blank.hpl'],
  ['file:///tmp/%C3%A4%23%3F.hpl -- FILE:///tmp/a', '/tmp/ä#?.hpl /tmp/a'],
  ['file://localhost/tmp/a.hpl', '/tmp/a.hpl'],
  ['file://host/x', '/logs/new/file:/host/x'],
  ['file:///tmp/a%2Fb', '/logs/new/file:/tmp/a%2Fb'],
  ['file:///%zz', '/logs/new/file:/%zz'],
  ['file:///%C3', '/logs/new/file:/%C3'],
  ['file:///a%00b', '/logs/new/file:/a%00b'],
  ['file://[/x file:x', '/logs/new/file:/[/x /logs/new/file:x'],
  ['', ''],
])('the files in "%s"', (line, expected) => {
  expect(files(line)).toBe(expected);
});

test('the arguments of a program that Electron runs from a folder begin behind it', () => {
  const run = ['electron', '--inspect=0', '--remote-debugging-port=0', '/checkout', '--flag', 'a.hpl'];
  expect(ownArguments(run, true)).toEqual(['--flag', 'a.hpl']);
  expect(ownArguments(['leanscope', '--flag', 'a.hpl'], false)).toEqual(['--flag', 'a.hpl']);
  expect(ownArguments(['electron'], true)).toEqual([]);
});

test('every command of the help needs no window', () => {
  const commands = Array.from(
    helpText('open').matchAll(/^ +leanscope ([a-z-]+)(?![\w.*-])/gm),
    ([, name]) => name,
  );
  expect(commands).toContain('export');
  expect(commands.filter((name) => commandOf([name, 'a.file']) === undefined)).toEqual([]);
});

test.each([
  ...['export a.hpl', 'summary a.hpl', 'compare a b', 'serve -', '--help', '-h', '--version'].flatMap(
    (line) =>
      ['', '--no-sandbox ', '--ozone-platform=headless --disable-gpu '].map((switches) => [
        switches + line,
        line,
      ]),
  ),
  ['--help export', '--help export'],
  ['a.hpl --help', 'a.hpl --help'],
  ['--no-sandbox a.hpl -h', 'a.hpl -h'],
  ['--source /src --version', '--source /src --version'],
])('the command in "%s"', (line, expected) => {
  expect(commandOf(line.split(' '))?.join(' ')).toBe(expected);
});

test.each([
  'a.hpl',
  './export',
  '--no-sandbox',
  '--no-sandbox a.hpl summary',
  '-- export',
  '-- --help',
  '-',
  '',
  '--source agent a.hpl',
  '--source=. summary',
  '--editor serve',
  '--port 80 export',
  '--no-open compare',
  '--follow jvms',
])('there is no command in "%s"', (line) => {
  expect(commandOf(line.split(' '))).toBeUndefined();
});

test.each([
  ['--no-sandbox summry a.hpl', 'summry'],
  ['--wait a.hpl', '--wait'],
  ['--no-sandbox -- summry', undefined],
])('the first word of "%s"', (line, expected) => {
  expect(firstWordOf(line.split(' '))).toBe(expected);
});

test('values of options are neither files nor commands', () => {
  const args = '--source agent --port 80 --editor serve a.hpl'.split(' ');
  expect(filesOf(args, '/logs')).toEqual(['/logs/a.hpl']);
  expect(sourcesOf(args, '/logs')).toEqual({ roots: ['/logs/agent'], editor: 'serve' });
});

test('every option of the window that has a value is known, and every other one', () => {
  for (const [name, { value }] of Object.entries(commandHelp('open').options)) {
    const option = `--${name}`;
    const args = value === undefined ? [option] : [option, 'x'];
    expect(filesOf([...args, 'a'], '/'), option).toEqual(['/a']);
    expect(commandOf([...args, 'export']), option).toBeUndefined();
  }
});

test.each([
  ['-', true],
  ['--no-sandbox a.hpl -', true],
  ['-- -', true],
  ['./- a.hpl', false],
  ['--source - a.hpl', false],
])('that "%s" names standard input is %s', (line, expected) => {
  expect(namesStandardInput(line.split(' '))).toBe(expected);
});

test('D15: files wait for somebody to open them, in the order named, then go as they come', () => {
  const opened: (readonly string[])[] = [];
  const waiting = new FilesToOpen();
  const names = Array.from({ length: 50 }, (_, at) => `/${at}`);
  for (const name of names) waiting.add([name]);
  waiting.add(['/b', '/c']);
  waiting.deliverTo((paths) => opened.push(paths));
  waiting.add([]);
  waiting.add(['/d']);
  expect(opened).toEqual([[...names, '/b', '/c'], ['/d']]);
});
