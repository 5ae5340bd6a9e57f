import { expect, test } from 'vitest';
import type { FindingsAnswer } from '../../../shared/findings/finding.ts';
import { goldenPath } from '../../support/read-log.ts';
import { recordedLogs } from '../../support/recorded-logs.ts';
import { cliOutput } from '../../support/run-cli.ts';

async function answerOf(path: string, ...options: readonly string[]): Promise<FindingsAnswer> {
  return JSON.parse(await cliOutput('findings', path, '--json', ...options)) as FindingsAnswer;
}

test('a recorded log has three warnings at most', async () => {
  for (const { name } of recordedLogs()) {
    const { findings } = await answerOf(goldenPath(name));
    const warnings = findings.filter(({ level }) => level === 'warn').map(({ id }) => id);
    expect([name, warnings.length <= 3, warnings]).toEqual([name, true, warnings]);
  }
});

test.each(['assets/shop.hpl.gz', 'assets/shop.jfr.gz'])(
  'the causes in the sample %s are found',
  async (path) => {
    const { findings } = await answerOf(path);
    const found = findings.map(({ id, level, where }) => [id, level, where[0]?.key]);
    expect(found.filter(([, level]) => level === 'warn').length).toBeLessThanOrEqual(3);
    expect(found).toContainEqual(['F33', 'warn', 'com.acme.shop.web.Server.main']);
    expect(found).toContainEqual(['F34', 'warn', 'com.acme.shop.catalog.Ranking.top']);
    expect(found).toContainEqual(['F6', 'info', 'com.acme.shop.catalog.SearchIndex.score']);
  },
);

test('the allocations of the sample have their site', async () => {
  const { findings } = await answerOf('assets/shop.jfr.gz', '--choose', 'sample-type=alloc');
  expect(findings.map(({ id, subject }) => [id, subject])).toEqual([
    ['F26', 'com.acme.shop.catalog.SearchIndex.score'],
    ['F11', undefined],
  ]);
});
