import { expect, test } from 'vitest';
import {
  FilesToOpen,
  filesOf,
  isWindowless,
  ownArguments,
} from '../../../../electron/desktop/opened-files.ts';

const files = (line: string) => filesOf(line.split(' '), '/home/me').join(' ');

test.each([
  ['a.hpl', '/home/me/a.hpl'],
  ['a.hpl /b.hpl ../c.hpl', '/home/me/a.hpl /b.hpl /home/c.hpl'],
  ['--no-sandbox a.hpl --ozone-platform=x11', '/home/me/a.hpl'],
  ['-psn_0_12345', ''],
  ['a.hpl -- --inspect -b.hpl --', '/home/me/a.hpl /home/me/--inspect /home/me/-b.hpl /home/me/--'],
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
