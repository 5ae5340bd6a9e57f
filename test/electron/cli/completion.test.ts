import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandHelp, type CommandName } from '../../../electron/cli/options/commands.ts';
import { manPage } from '../../../electron/cli/help.ts';
import { NAMED_COMMANDS } from '../../../electron/runtime/command-names.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';

async function scriptFor(shell: string): Promise<string> {
  const { status, stdout, stderr } = await runCli(['completion', shell]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const without = (shell: string): string | undefined =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? undefined : `${shell} is not installed`;

/** What bash completes at the end of each line, in a folder with the file `app.jfr`. */
const COMPLETED = `
leanscope to                             top
leanscope ap                             app.jfr
leanscope --wa                           --wait
leanscope top ap                         app.jfr
leanscope top --by                       --by
leanscope top --by _                     self total
leanscope top app.jfr --group pa         package
leanscope export app.jfr -f coll         collapsed
leanscope export app.jfr --format le     lean
leanscope export -o ap                   app.jfr
leanscope help conv                      convert-trace
leanscope completion _                   bash zsh fish
leanscope version --h                    --help
`;

testUnless(without('bash'))('bash completes commands, files, options and their values', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'app.jfr'), '');
  writeFileSync(join(folder, 'completion.bash'), await scriptFor('bash'));
  const expected = COMPLETED.trim().split('\n');
  const told = expected.map((line) => {
    const typed = line.slice(0, 41).trim();
    const words = typed.split(' ').map((word) => (word === '_' ? "''" : word));
    const script = `source ./completion.bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _leanscope; IFS=' '; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    return typed.padEnd(41) + stdout.trim();
  });
  expect(told).toEqual(expected);
});

for (const shell of ['zsh', 'fish'])
  testUnless(without(shell))(`the script for ${shell} is one that it can read`, async () => {
    const path = join(temporaryFolder(), 'completion');
    writeFileSync(path, await scriptFor(shell));
    const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

test('completion of a shell that it does not know is refused with those that it knows', async () => {
  expect(await runCli(['completion', 'csh'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'leanscope: completion takes the name of a shell: bash, zsh, fish; see leanscope completion --help\n',
  });
});

test('every command and option is in each script and in the manual page', async () => {
  const commands: readonly CommandName[] = ['open', ...NAMED_COMMANDS];
  const options = commands.flatMap((command) => Object.keys(commandHelp(command).options));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptFor(shell);
    for (const name of [...NAMED_COMMANDS, ...options]) expect(script).toContain(name);
  }
  const page = manPage().replaceAll(String.raw`\-`, '-');
  for (const command of commands) expect(page).toContain(`.SS leanscope ${commandHelp(command).usage}`);
  for (const option of options) expect(page).toContain(`--${option}`);
});

testUnless(without('man'))('man prints the manual page without complaint about its requests', () => {
  const path = join(temporaryFolder(), 'leanscope.1');
  writeFileSync(path, manPage());
  const { stdout, stderr } = spawnSync('man', ['-l', '--warnings=mac,escape,char', path], {
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('leanscope - view JVM sampling profiles');
});
