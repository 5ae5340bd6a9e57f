import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  editorArguments,
  EditorOpener,
  findEditors,
  splitCommand,
} from '../../../electron/source-code/editor.ts';
import type { SourceFile } from '../../../electron/source-code/source-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['code -g {file}:{line}', ['code', '-g', '{file}:{line}']],
  ['  idea   --line {line}\t{file} ', ['idea', '--line', '{line}', '{file}']],
  ['"/opt/my editor/bin" "{file}"', ['/opt/my editor/bin', '{file}']],
  ["'a \"b' {file} ''", ['a "b', '{file}', '']],
  ['"C:\\Program Files\\x.exe" {file}', ['C:\\Program Files\\x.exe', '{file}']],
  ['"say \\"x\\"" {file}', ['say "x"', '{file}']],
  ['a"b c"d {file}', ['ab cd', '{file}']],
  [
    '$HOME/x; rm -rf `y` && z | {file} > out',
    ['$HOME/x;', 'rm', '-rf', '`y`', '&&', 'z', '|', '{file}', '>', 'out'],
  ],
])('%s', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each([
  ['', 'The command is empty.'],
  ['""', 'The command is empty.'],
  ['code "-g {file}', 'The command has a " without its end.'],
  ['{file} x', 'The command begins with {file} or {line} instead of a program.'],
  ['code', 'The command has no {file}, as in: code -g {file}:{line}'],
  ['co\0de {file}', 'The command has an invalid character.'],
  ['x'.repeat(2000), 'The command is too long.'],
])('refused: %j', (command, reason) => {
  expect(() => splitCommand(command)).toThrow(new RangeError(reason));
});

test('a file is one argument or a part of one, whatever its name', () => {
  const hostile = `/src/a b"c'd$(id);{line}.java`;
  expect(editorArguments('code -g {file}:{line}', hostile, 7)).toEqual(['code', '-g', `${hostile}:7`]);
  expect(editorArguments('idea --line {line} {file}', hostile, 7)).toEqual(['idea', '--line', '7', hostile]);
});

test('editors are those whose programs are on the PATH', async () => {
  const folder = join(temporaryFolder(), 'with blank');
  mkdirSync(folder);
  for (const name of ['idea', 'code']) writeFileSync(join(folder, name), '', { mode: 0o755 });
  writeFileSync(join(folder, 'subl'), '');
  chmodSync(join(folder, 'subl'), 0o600);
  const editors = await findEditors({ env: { PATH: folder }, platform: 'linux' });
  const expected = ['code', 'idea'];
  // Root may execute what nobody may.
  expect(editors.map(({ id }) => id).filter((id) => id !== 'subl')).toEqual(expected);
  expect(editorArguments(editors[0].command, '/a.java', 3)).toEqual([
    join(folder, 'code'),
    '-g',
    '/a.java:3',
  ]);
});

test('an entry of an archive is opened as a read-only copy, which is removed at the end', async () => {
  const started: (readonly string[])[] = [];
  const opener = new EditorOpener((program, args) => {
    started.push([program, ...args]);
    return Promise.resolve();
  });
  const entry: SourceFile = {
    name: 'Lib.java',
    place: '/lib.jar!/com/Lib.java',
    path: undefined,
    read: () => Promise.resolve(new TextEncoder().encode('class Lib {}')),
  };
  await opener.open('code -g {file}:{line}', entry, 12);
  await opener.open('code -g {file}:{line}', entry, 13);
  const [first, second] = started.map((words) => words[2].replace(/:\d+$/, ''));
  expect(second).toBe(first);
  expect(started.map((words) => /:(\d+)$/.exec(words[2])?.[1])).toEqual(['12', '13']);
  expect(readFileSync(first, 'utf8')).toBe('class Lib {}');
  expect(statSync(first).mode & 0o777).toBe(0o400);
  expect(statSync(join(first, '../..')).mode & 0o777).toBe(0o700);
  // Another archive has taken the place of the first.
  const changed = { ...entry, read: () => Promise.resolve(new TextEncoder().encode('class Lib2 {}')) };
  await opener.open('code {file}', changed, 1);
  expect(readFileSync(started[2][1], 'utf8')).toBe('class Lib2 {}');
  opener.close();
  expect(() => statSync(first)).toThrow('ENOENT');
  await opener.open('code {file}', { ...entry, path: '/src/Lib.java' }, 1);
  expect(started.at(-1)).toEqual(['code', '/src/Lib.java']);
});

test('a program that does not exist is an error', async () => {
  const file: SourceFile = {
    name: 'A.java',
    place: '/A.java',
    path: '/A.java',
    read: () => Promise.reject(new Error()),
  };
  await expect(new EditorOpener().open('/nowhere/editor {file}', file, 1)).rejects.toThrow('ENOENT');
});
