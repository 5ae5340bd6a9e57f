import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandHelp } from '../../../electron/cli/options/commands.ts';
import { NAMED_COMMANDS } from '../../../electron/runtime/command-names.ts';
import { inCheckout } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADLESS = ['--no-sandbox', '--ozone-platform=headless', '--disable-gpu'];

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** The arguments that the packaged program gets from the command, called by a link as from /usr/bin. */
function run(
  args: readonly string[],
  { display = true, userId = 1000, files = ['a b.hpl', 'a.hpl', 'shop'] as readonly string[] } = {},
) {
  const folder = temporaryFolder();
  for (const file of files) writeFileSync(join(folder, file), '');
  for (const name of ['opt/bin', 'usr', 'tools']) mkdirSync(join(folder, name), { recursive: true });
  copyFileSync(inCheckout('assets/linux/leanscope.sh'), join(folder, 'opt/bin/leanscope'));
  symlinkSync(join(folder, 'opt/bin/leanscope'), join(folder, 'usr/leanscope'));
  script(join(folder, 'opt/leanscope'), `printf '%s\\n' "$@"; exit 3`);
  script(join(folder, 'tools/id'), `echo ${String(userId)}`);
  const { status, stdout, stderr } = spawnSync(join(folder, 'usr/leanscope'), args, {
    encoding: 'utf8',
    cwd: folder,
    env: {
      PATH: `${join(folder, 'tools')}${delimiter}${process.env.PATH ?? ''}`,
      ...(display ? { DISPLAY: ':0' } : {}),
    },
  });
  return { status, stderr, given: stdout.split('\n').slice(0, -1) };
}

test.each([...NAMED_COMMANDS, 'compare', '--help', '-h', '--version', '-V', '-v'])(
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
  [['shop']],
  [['./summry']],
  [['summry.hpl']],
  [['--', 'summry']],
  [['--wait', 'export']],
  [['--source', 'agent', 'a.hpl']],
  [['--editor=x', 'serve']],
  [['--port', '80', 'export']],
  [['--no-open', 'compare']],
])('leanscope %j opens the window', (args) => {
  expect(run(args)).toEqual({ status: 3, stderr: '', given: args.length === 0 ? [''] : args });
});

test('each option of the table with its value is given to the server, and takes no file or command for it', () => {
  for (const [name, { value }] of Object.entries(commandHelp('open').options)) {
    const args = value === undefined ? [`--${name}`, 'a.hpl'] : [`--${name}`, 'export', 'a.hpl'];
    expect(run(args, { display: false }).given).toEqual([...HEADLESS, 'serve', ...args]);
    expect(run([...args, 'summary']).given).toEqual([...args, 'summary']);
  }
});

test('a first word that is probably a mistyped command needs no window: the program says so', () => {
  for (const surroundings of [{}, { display: false }, { userId: 0 }])
    expect(run(['summry', 'a.hpl'], surroundings)).toEqual({
      status: 3,
      stderr: '',
      given: [...HEADLESS, 'summry', 'a.hpl'],
    });
});

test('a file that does not exist is served only where the command is to wait for it', () => {
  const served = (...args: readonly string[]) => run(args, { display: false });
  const { status, stderr } = served('a.hpl', 'no.hpl');
  expect([status, stderr]).toEqual([
    1,
    'leanscope: no.hpl: does not exist; check the path, or wait for it with --wait\n',
  ]);
  expect(served('--', 'no').status).toBe(1);
  expect(served('no.hpl', '--wait').given).toEqual([...HEADLESS, 'serve', 'no.hpl', '--wait']);
  expect(served('--wait', '--', 'no').given).toEqual([...HEADLESS, 'serve', '--wait', '--', 'no']);
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
    ['--editor', 'code -g {file}', '--wait', '', '--', '--x', '-'],
    ['--editor', 'code -g {file}', '--wait', '', '--', '--x', '-'],
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
