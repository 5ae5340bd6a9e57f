import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { NAMED_COMMANDS } from '../../../../electron/runtime/command-names.ts';
import { inCheckout } from '../../../support/built-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HEADLESS = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu'];

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** The arguments that the packaged program gets from the command, called by a link as from /usr/bin. */
function run(args: readonly string[], { display = true, userId = 1000 } = {}) {
  const folder = temporaryFolder();
  for (const name of ['opt/bin', 'usr', 'tools']) mkdirSync(join(folder, name), { recursive: true });
  copyFileSync(inCheckout('assets/linux/leanscope.sh'), join(folder, 'opt/bin/leanscope'));
  symlinkSync(join(folder, 'opt/bin/leanscope'), join(folder, 'usr/leanscope'));
  script(join(folder, 'opt/leanscope'), `printf '%s\\n' "$@"; exit 3`);
  script(join(folder, 'tools/id'), `echo ${String(userId)}`);
  const { status, stdout, stderr } = spawnSync(join(folder, 'usr/leanscope'), args, {
    encoding: 'utf8',
    env: {
      PATH: `${join(folder, 'tools')}${delimiter}${process.env.PATH ?? ''}`,
      ...(display ? { DISPLAY: ':0' } : {}),
    },
  });
  return { status, stderr, given: stdout.split('\n').slice(0, -1) };
}

test.each([...NAMED_COMMANDS, 'compare', '--help', '-h', '--version'])(
  'leanscope %s needs neither display nor sandbox',
  (name) => {
    for (const surroundings of [{}, { display: false }, { userId: 0 }])
      expect(run([name, 'my log.hpl', '-o', ''], surroundings)).toEqual({
        status: 3,
        stderr: '',
        given: [...HEADLESS, name, 'my log.hpl', '-o', ''],
      });
  },
);

test('a command behind switches is one all the same', () => {
  expect(run(['--enable-logging', 'summary', 'a.hpl']).given).toEqual([
    ...HEADLESS,
    '--enable-logging',
    'summary',
    'a.hpl',
  ]);
});

test.each([
  ['a b.hpl', '--help'],
  ['--source', 'src', '-h'],
  ['--some-switch', 'a.hpl', '--version'],
])('leanscope %s %s %s needs no window', (...args) => {
  expect(run(args).given).toEqual([...HEADLESS, ...args]);
});

test.each([
  [['a b.hpl']],
  [[]],
  [['--', 'summary']],
  [['--', '--help']],
  [['a.hpl', 'summary']],
  [['--some-switch']],
  [['-']],
  [['--source', 'agent', 'a.hpl']],
  [['--editor=x', 'serve']],
  [['--port', '80', 'export']],
  [['--no-open', 'compare']],
])('leanscope %j opens the window', (args) => {
  expect(run(args)).toEqual({ status: 3, stderr: '', given: args.length === 0 ? [''] : args });
});

test.each([
  ['there is no display', { display: false }],
  ['Electron does not run as root', { userId: 0 }],
])('files are served where %s', (reason, surroundings) => {
  expect(run(['a b.hpl'], surroundings)).toEqual({
    status: 3,
    stderr: `leanscope: the window cannot be opened: ${reason}; serving it to the browser instead\n`,
    given: [...HEADLESS, 'serve', 'a b.hpl'],
  });
});

test.each([
  [['--enable-logging', 'a.hpl', '--no-sandbox'], ['a.hpl']],
  [
    ['--source', '--odd', '--x', '--port=80', '--follow', '-'],
    ['--source', '--odd', '--port=80', '--follow', '-'],
  ],
  [
    ['--editor', 'code -g {file}', '', '--', '--x', '-'],
    ['--editor', 'code -g {file}', '', '--', '--x', '-'],
  ],
])('of %j the server gets %j', (args, given) => {
  expect(run(args, { display: false }).given).toEqual([...HEADLESS, 'serve', ...given]);
});

test('root may do without the sandbox', () => {
  for (const args of [
    ['--no-sandbox', 'a.hpl'],
    ['a.hpl', '--no-sandbox'],
  ])
    expect(run(args, { userId: 0 }).given).toEqual(args);
});
