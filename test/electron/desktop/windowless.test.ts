import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { importsOf } from '../../support/imports-of.ts';
import { goldenLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

useBuiltProgram();

const FOLDER = inCheckout('dist/electron');

/** Runs the built main.cjs as Electron would, where asking Electron for anything but to exit is an error. */
function program(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', inCheckout('test/support/fake-electron/windowless.cjs'), join(FOLDER, 'main.cjs'), ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const command = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(FOLDER, 'cli.cjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test.each([
  ['--version'],
  ['--help'],
  ['summary', inCheckout('assets/shop.hpl.gz'), '--json'],
  ['summary', '/nowhere.hpl'],
  ['export'],
  ['help', 'summary'],
  ['version'],
  ['summry', 'a.hpl'],
])('the packaged program runs "%s" as the command does, without a window', (...args) => {
  expect(program(...args)).toEqual(command(...args));
});

testUnless(process.platform === 'linux' ? undefined : 'only Linux has file names that are not UTF-8')(
  'D14: the packaged program gets the bytes of a file name that is not UTF-8',
  () => {
    const folder = temporaryFolder();
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/h`), Buffer.of(0xff), Buffer.from('.hpl')]),
      goldenLog('hello'),
    );
    // Arguments of a process that Node starts are strings: a shell makes the name.
    const { stdout } = spawnSync(
      '/bin/sh',
      [
        '-c',
        `exec "$0" --require "$1" "$2" summary "$(printf 'h\\377.hpl')"`,
        process.execPath,
        inCheckout('test/support/fake-electron/windowless.cjs'),
        join(FOLDER, 'main.cjs'),
      ],
      { encoding: 'utf8', cwd: folder },
    );
    expect(stdout).toMatch(/^file +h\\xff\.hpl\n/);
  },
);

test('what stands before a command or with --help does not hide it', () => {
  const args = ['summary', inCheckout('assets/shop.hpl.gz')];
  expect(program('--no-sandbox', ...args)).toEqual(command(...args));
  expect(program('--no-sandbox', 'a.hpl', '--help')).toEqual(command('a.hpl', '--help'));
});

test('standard input is refused, because a window cannot read it', () => {
  expect(program('--some-switch', 'a.hpl', '-')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'leanscope: the window cannot read standard input: use serve -; see leanscope --help\n',
  });
});

const imports = (file: string) => importsOf(file, readFileSync(join(FOLDER, file), 'utf8'));

const scripts = () => readdirSync(FOLDER).filter((name) => name.endsWith('.cjs'));

test('only the desktop loads electron; everything else is bundled or built into Node', () => {
  const allowed = (file: string, name: string) =>
    name.startsWith('node:') ||
    builtinModules.includes(name) ||
    (name.startsWith('./') && scripts().includes(name.slice(2))) ||
    (name === 'electron' && (file === 'main.cjs' || file === 'preload.cjs'));
  const wrong = scripts().flatMap((file) =>
    imports(file)
      .filter((name) => !allowed(file, name))
      .map((name) => `${file}: ${name}`),
  );
  expect(wrong).toEqual([]);
  expect(imports('main.cjs')).toContain('electron');
  expect(imports('preload.cjs')).toEqual(['electron']);
});

test('the build is flat and holds the four programs', () => {
  expect(readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toEqual([]);
  expect(scripts()).toEqual(expect.arrayContaining(['main.cjs', 'cli.cjs', 'log-worker.cjs', 'preload.cjs']));
});
