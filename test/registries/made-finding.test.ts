import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openGunzip } from '../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { FindingCheck } from '../../shared/findings/check.ts';
import { type FindingsAnswer, NO_PROJECT } from '../../shared/findings/finding.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import { assistant } from '../support/assistant.ts';
import { Driven } from '../support/driven-mirror.ts';
import { cliOutput, runCli } from '../support/run-cli.ts';

/** A check that nobody but this test knows. */
vi.mock('../../shared/findings/check-list.ts', async (original) => {
  const list = await original<typeof import('../../shared/findings/check-list.ts')>();
  const made: FindingCheck = {
    id: 'F900',
    title: 'The sun is asked for',
    needs: 'cpu',
    thresholds: { info: 0.1, warn: 0.2 },
    frames: { any: ['com.acme.Sun.shine'] },
    words: { why: 'It shines anyway.', doubt: 'At night it does not.', next: 'Wait.' },
  };
  const CHECKS = [...list.CHECKS, made];
  return { CHECKS, CHECK_IDS: CHECKS.map(({ id }) => id) };
});

const stdin = Buffer.from('com.acme.Main.main;com.acme.Sun.shine 60\ncom.acme.Main.main 40\n');

test('a check that is added to the list is one of the command and its help', async () => {
  const { stdout, status } = await runCli(['findings', '-', '--checks', 'F900'], { stdin });
  expect(status).toBe(0);
  expect(stdout).toContain('WARN  F900  The sun is asked for');
  expect(stdout).toContain('doubt  At night it does not.');
  expect((await runCli(['findings', '-', '--checks', 'F901'], { stdin })).stderr).toContain('F900');
  expect(await cliOutput('findings', '--help')).toContain('--checks ID,…');
});

test('its JSON has it, and a gate fails by it', async () => {
  const { stdout, status } = await runCli(
    ['findings', '-', '--json', '--checks', 'F900', '--fail-on', 'warn'],
    { stdin },
  );
  expect(status).toBe(4);
  const answer = JSON.parse(stdout) as FindingsAnswer;
  expect(answer).toMatchObject({
    version: 1,
    findings: [
      {
        id: 'F900',
        level: 'warn',
        samples: 60,
        why: 'It shines anyway.',
        next: 'Wait.',
        where: [{ key: 'com.acme.Sun.shine', share: 0.6, yours: true }],
        show: { keep: ['com.acme.Sun.shine'], select: 'com.acme.Sun.shine' },
      },
    ],
    checked: ['F900'],
    notAssessed: [],
    suppressed: [],
  });
});

test('a project file silences it, and names own code', async () => {
  const project = join(mkdtempSync(join(tmpdir(), 'leanscope-')), '.leanscope.json');
  const suppress = [{ id: 'F900', key: 'com.acme.Main.main', why: 'known' }];
  writeFileSync(project, JSON.stringify({ own: ['com.acme.Main'], suppress }));
  const run = await runCli(['findings', '-', '--json', '--checks', 'F900', '--project', project], { stdin });
  expect(JSON.parse(run.stdout)).toMatchObject({ findings: [], suppressed: suppress });
  writeFileSync(project, '{"own": 3}');
  const refused = await runCli(['findings', '-', '--project', project], { stdin });
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `${project}: line 1: own: found 3, expected a list\n`,
  });
});

test('an assistant is told of it', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'leanscope-')), 'sun.collapsed');
  writeFileSync(file, stdin);
  const { call } = await assistant({ files: [file] });
  const { data: opened } = await call('open', { path: file });
  const { text } = await call('findings', { profile: opened.profile });
  expect(text).toContain('F900');
});

test('the summary of the window has it', async () => {
  const aggregator = new ProfileAggregator();
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  await reader.push(stdin);
  await reader.end();
  vi.useFakeTimers();
  const driven = new Driven(
    { type: 'facts', facts: reader.facts(), project: NO_PROJECT },
    { type: 'pane', pane: 'summary', spec: { kind: 'answer', of: 'methods' } },
  );
  driven.mirror.show(aggregator.profile);
  driven.mirror.grew(false);
  vi.runAllTimers();
  vi.useRealTimers();
  const { findings } = driven.last('answer').findings!;
  expect(findings).toContainEqual(expect.objectContaining({ id: 'F900', level: 'warn', samples: 60 }));
});
