import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TopData } from '../../../shared/answers/schemas.ts';
import type { ToldFindings } from '../../../electron/cli/answer-commands.ts';
import { JSON_COMMANDS, jsonSchema } from '../../../electron/cli/json-schemas.ts';
import { goldenPath } from '../../support/read-log.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';

const JFR = 'assets/shop.jfr.gz';
const HPL = 'assets/shop.hpl.gz';

const PRINTED = [
  ['summary', [JFR]],
  ['summary', [HPL, '--thread', 'main', '--events']],
  ['summary', [goldenPath('server-small')]],
  ['findings', [JFR]],
  ['findings', [HPL, '--limit', '1']],
  ['top', [JFR, '--group', 'line']],
  ['top', [HPL, '--group', 'pool', '--metric', 'time']],
  ['tree', [HPL, '--of', 'bottom-up']],
  ['method', ['com.acme.shop.catalog.Ranking.top', JFR]],
  ['timeline', [JFR, '--by', 'method']],
  ['spread', [JFR]],
  ['operations', ['test/golden/jfr/requests-jdk25.jfr.gz']],
  ['compare', [JFR, HPL]],
  ['jvms', []],
] as const;

test.each(PRINTED)('%s %j --json is as its schema says', async (command, argv) => {
  const { status, stdout } = await runCli([command, ...argv, '--json']);
  expect([0, 3]).toContain(status);
  const printed: unknown = JSON.parse(stdout);
  // Strict: what the schema does not name is not printed.
  expect(jsonSchema(command).strict().safeParse(printed).error?.issues).toBeUndefined();
});

test('compare --against --json is as its schema says', async () => {
  const printed: unknown = JSON.parse(
    await cliOutput('compare', HPL, JFR, '--against', JFR, HPL, '--json', '--metric', 'samples'),
  );
  expect(jsonSchema('compare-runs').strict().safeParse(printed).error?.issues).toBeUndefined();
});

test('each command that reports has a schema with a version, which help prints', async () => {
  for (const command of JSON_COMMANDS) {
    const schema = JSON.parse(await cliOutput('help', command, '--json-schema')) as {
      readonly properties: Record<string, unknown>;
    };
    expect(schema.properties).toMatchObject({
      schema: { const: `leanscope-${command}` },
      version: { const: 1 },
    });
  }
  expect((await runCli(['help', 'serve', '--json-schema'])).stderr).toContain('--json-schema is of one of');
});

test('what was left out is counted', async () => {
  const top = async (limit: string) =>
    JSON.parse(await cliOutput('top', JFR, '--limit', limit, '--json')) as TopData;
  const [all, few] = [await top('100000'), await top('7')];
  expect([few.rows.length, few.leftOut.rows]).toEqual([7, all.rows.length - 7]);
  const told = async (...argv: readonly string[]) =>
    JSON.parse(await cliOutput('findings', JFR, '--json', ...argv)) as ToldFindings;
  const [findings, one] = [await told(), await told('--limit', '1')];
  expect(one.leftOut.findings).toBe(findings.findings.length - 1);
  expect(one.levels).toEqual(findings.levels);
});

test('docs/json.md names every schema', () => {
  const text = readFileSync('docs/json.md', 'utf8');
  for (const command of JSON_COMMANDS) expect(text).toContain(`leanscope-${command}`);
});
