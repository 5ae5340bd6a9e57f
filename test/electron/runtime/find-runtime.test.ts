import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRuntime, startRuntime } from '../../../electron/runtime/find-runtime.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DESK = { env: { DISPLAY: ':0' }, platform: 'linux', userId: 1000 };

/** A checkout that has been built. */
function checkout(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist/electron'), { recursive: true });
  writeFileSync(join(folder, 'dist/electron/preload.cjs'), '');
  return folder;
}

/** A checkout in which Electron's installer has been. */
function installed(): string {
  const folder = checkout();
  const electron = join(folder, 'node_modules/electron');
  mkdirSync(join(electron, 'dist'), { recursive: true });
  writeFileSync(join(electron, 'path.txt'), 'electron');
  writeFileSync(join(electron, 'dist/electron'), '');
  return folder;
}

/** A runtime that is a shell script. */
function script(text: string): string {
  const path = join(temporaryFolder(), 'electron');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('the runtime is where its installer put it', () => {
  const appFolder = installed();
  expect(findRuntime({ ...DESK, appFolder })).toEqual({
    kind: 'found',
    executable: join(appFolder, 'node_modules/electron/dist/electron'),
  });
});

test('or where ELECTRON_OVERRIDE_DIST_PATH says', () => {
  const override = join(installed(), 'node_modules/electron/dist');
  const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: override };
  expect(findRuntime({ ...DESK, env, appFolder: checkout() })).toEqual({
    kind: 'found',
    executable: join(override, 'electron'),
  });
});

test('it is not looked for in the package for npm, whose window is the browser', () => {
  expect(findRuntime({ ...DESK, appFolder: temporaryFolder() })).toEqual({ kind: 'browser' });
});

test.each([
  ['no installer has been', {}, "Electron's runtime is not installed"],
  ['there is no display', { env: {} }, 'there is no display'],
  ['root asks', { userId: 0 }, 'Electron does not run as root'],
])('it is missing where %s', (_what, difference, reason) => {
  const appFolder = reason.includes('installed') ? checkout() : installed();
  expect(findRuntime({ ...DESK, ...difference, appFolder })).toEqual({ kind: 'missing', reason });
});

test('the reason is the real one where no runtime is installed either: it would not help', () => {
  const appFolder = checkout();
  expect(findRuntime({ ...DESK, env: {}, appFolder })).toEqual({
    kind: 'missing',
    reason: 'there is no display',
  });
  expect(findRuntime({ ...DESK, userId: 0, appFolder })).toEqual({
    kind: 'missing',
    reason: 'Electron does not run as root',
  });
});

test('a Mac needs no DISPLAY', () => {
  const appFolder = installed();
  expect(findRuntime({ ...DESK, env: {}, platform: 'darwin', appFolder }).kind).toBe('found');
});

test('it gets the program, and the files behind --', async () => {
  const out = join(temporaryFolder(), 'arguments');
  const executable = script(`printf '%s\\n' "$2" "$3" "$4" > '${out}'; exit 3`);
  expect(await startRuntime(executable, ['/a.hpl', 'dataset:///fleet?per=host'])).toEqual({
    kind: 'ran',
    exitCode: 3,
  });
  expect(readFileSync(out, 'utf8').split('\n').slice(0, 3)).toEqual([
    '--',
    '/a.hpl',
    'dataset:///fleet?per=host',
  ]);
});

test.each([
  ['lacks a library', script.bind(undefined, 'exit 127'), 'Electron ended with status 127'],
  ['is refused its sandbox', script.bind(undefined, 'kill -TRAP $$'), 'Electron ended with SIGTRAP'],
  ['cannot open its display', script.bind(undefined, 'kill -SEGV $$'), 'Electron ended with SIGSEGV'],
])('a runtime that %s has not started', async (_what, runtime, reason) => {
  expect(await startRuntime(runtime(), [])).toEqual({ kind: 'notStarted', reason });
});

test('a runtime that cannot be run has not started', async () => {
  const outcome = await startRuntime('/nowhere/electron', []);
  expect(outcome).toEqual({ kind: 'notStarted', reason: 'spawn /nowhere/electron ENOENT' });
});
