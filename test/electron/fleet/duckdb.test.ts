import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.mock('node:module', async (original) => ({
  ...(await original<object>()),
  createRequire: () => () => {
    throw new Error("Cannot find module '@duckdb/node-api'");
  },
}));

test('a host without DuckDB writes a dataset, and to ask one a sentence says what to install', async () => {
  const dir = join(temporaryFolder(), 'fleet');
  await cliOutput('export', 'assets/shop.hpl.gz', '--format', 'dataset', '-o', dir);
  expect(['frames', 'samples', 'stacks'].every((table) => existsSync(join(dir, table)))).toBe(true);
  expect(await runCli(['top', dir])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `${dir}: datasets are read by DuckDB, which is not installed: npx -p leanscope -p @duckdb/node-api leanscope …, or npm install @duckdb/node-api beside leanscope\n`,
  });
});
