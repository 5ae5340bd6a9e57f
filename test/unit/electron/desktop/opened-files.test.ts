import { expect, test } from 'vitest';
import { helpText } from '../../../../electron/cli/help.ts';
import {
  FilesToOpen,
  filesOf,
  isWindowless,
  ownArguments,
} from '../../../../electron/desktop/opened-files.ts';

const files = (line: string) => filesOf(line.split(' '), '/logs/new').join(' ');

test.each([
  ['a.hpl', '/logs/new/a.hpl'],
  ['a.hpl /b.hpl ../c.hpl', '/logs/new/a.hpl /b.hpl /logs/c.hpl'],
  ['--no-sandbox a.hpl --ozone-platform=x11', '/logs/new/a.hpl'],
  ['-psn_0_12345', ''],
  ['a.hpl -- --inspect -b.hpl --', '/logs/new/a.hpl /logs/new/--inspect /logs/new/-b.hpl /logs/new/--'],
  ['file:///tmp/with%20blank.hpl', '/tmp/with blank.hpl'],
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
  const commands = Array.from(helpText('open').matchAll(/^ +leanscope ([a-z-]+)/gm), ([, name]) => name);
  expect(commands).toContain('export');
  expect(commands.filter((name) => !isWindowless([name, 'a.file']))).toEqual([]);
});

test('a command is the first argument', () => {
  for (const line of ['export a.hpl', 'summary a.hpl', 'compare a b', 'serve', '--help', '-h', '--version'])
    expect(isWindowless(line.split(' ')), line).toBe(true);
  for (const line of ['a.hpl', './export', '--no-sandbox', '-- export', ''])
    expect(isWindowless(line.split(' ')), line).toBe(false);
});

test('files wait for somebody to open them, then go as they come', () => {
  const opened: (readonly string[])[] = [];
  const waiting = new FilesToOpen();
  waiting.add(['/a']);
  waiting.add(['/b', '/c']);
  waiting.deliverTo((paths) => opened.push(paths));
  waiting.add([]);
  waiting.add(['/d']);
  expect(opened).toEqual([['/a', '/b', '/c'], ['/d']]);
});
