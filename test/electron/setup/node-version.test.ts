import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inCheckout, useBuiltProgram } from '../../support/built-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

useBuiltProgram();

/** Runs a script of the checkout as this version of Node would begin to. */
function runBy(node: string, script: string, ...args: readonly string[]) {
  const preload = join(temporaryFolder(), 'version.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', preload, inCheckout(script), ...args],
    { encoding: 'utf8', env: { ...process.env, CHROME_PATH: '' } },
  );
  return { status, stdout, stderr };
}

test.each(['electron/setup/start.mjs', 'electron/setup/cli.mjs', 'electron/setup/build.mjs', 'test/run.mjs'])(
  '%s tells an old Node at once',
  (script) => {
    for (const node of ['18.20.4', '20.18.3', '14.21.3'])
      expect(runBy(node, script, 'version')).toEqual({
        status: 1,
        stdout: '',
        stderr: `Leanscope needs Node 20.19 or later, and this is Node ${node}: install a newer one, from https://nodejs.org for example.\n`,
      });
  },
);

test.each(['20.19.0', '22.0.0', '100.1.0'])('Node %s is not too old', (node) => {
  expect(runBy(node, 'electron/setup/cli.mjs', 'version').status).toBe(0);
});

test('what runs before the version is known has no syntax or module name that an old Node does not know', () => {
  for (const name of ['start', 'cli', 'node-version']) {
    const code = readFileSync(inCheckout(`electron/setup/${name}.mjs`), 'utf8').replaceAll(
      /\/\*[^]*?\*\//g,
      '',
    );
    expect(code, name).not.toMatch(/\?\.|\?\?|\bawait\b|'node:|#\w|\|\|=|&&=|\bstatic\b/);
  }
});
