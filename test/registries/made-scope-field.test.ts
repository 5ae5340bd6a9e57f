import { expect, test, vi } from 'vitest';
import { SCOPE_HELP } from '../../electron/cli/mcp/session.ts';
import { fragmentOf, readFragment } from '../../renderer/store/links/scope-address.ts';
import { type Baseline, EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import type { SaidScope, ScopeField } from '../../shared/scope/scope-fields.ts';
import { assistant } from '../support/assistant.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';

interface Made {
  readonly tier?: string;
}

/** A field that nobody but this test knows. */
vi.mock('../../shared/scope/scope-fields.ts', async (original) => {
  const list = await original<typeof import('../../shared/scope/scope-fields.ts')>();
  const made = {
    name: 'tier',
    part: 'tier' as ScopeField['part'],
    value: 'TIER',
    help: 'only samples of TIER',
    helpOfBase: 'the tier of BASE',
    choices: ['gold', 'silver'],
    print: (scope: object) => [(scope as Made).tier ?? []].flat(),
    read: (said: SaidScope, tier: string) =>
      tier === 'gold' || tier === 'silver' ? { ...said, tier } : 'it is gold or silver',
  } satisfies ScopeField;
  return { ...list, SCOPE_FIELDS: [...list.SCOPE_FIELDS, made] };
});

test('a field that is added to the list is in a link, also for what is compared with', () => {
  const made = { scope: { ...EMPTY_SCOPE, tier: 'gold' }, baseline: { tier: 'silver' } as Baseline };
  const log = { name: 'a.hpl', ...made, where: [], split: [], zoom: undefined };
  const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [log] });
  expect(fragment).toBe('#log=a.hpl&tier=gold&tier-base=silver');
  expect(readFragment(fragment).logs[0]).toMatchObject(made);
  expect(readFragment('#log=a.hpl&tier=iron&tier-base=iron').logs[0]).toMatchObject({ scope: EMPTY_SCOPE });
});

test('it is an option of the command line, on both sides of a comparison', async () => {
  const file = goldenPath('hello');
  expect((await runCli(['top', '--help'])).stdout).toMatch(/--tier TIER\s+only samples of TIER/);
  const { stdout: help } = await runCli(['compare', '--help']);
  expect(help).toMatch(/--tier-base TIER\s+the tier of BASE/);
  const wrong = await runCli(['top', file, '--tier', 'golt']);
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      "--tier cannot be 'golt': it is gold or silver; did you mean 'gold'?",
    ) as string,
  });
  const sides = await runCli(['compare', file, file, '--tier', 'gold', '--tier-base', 'silver']);
  expect(sides.stdout).toContain(`base  ${file} (tier silver)`);
  expect(sides.stdout).toContain(`new  ${file} (tier gold)`);
});

test('an assistant is told of it, and asks with it', async () => {
  expect(SCOPE_HELP).toContain('tier=TIER');
  const { call } = await assistant({ files: [goldenPath('hello')] });
  const { data: opened } = await call('open', { path: goldenPath('hello') });
  const { profile } = opened;
  expect((await call('top', { profile, scope: ['tier=gold'] })).data.rows.length).toBeGreaterThan(0);
  expect((await call('top', { profile, scope: ['tier=golt'] })).text).toContain(
    "scope: tier cannot be 'golt': it is gold or silver; did you mean 'gold'?",
  );
});
