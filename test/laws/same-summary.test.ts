import { NO_PROJECT } from '../../shared/findings/finding.ts';
import { expect, test } from 'vitest';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { withErrorsJoined } from '../../shared/engine/trees/grouping.ts';
import type { LogFacts } from '../../shared/facts/log-facts.ts';
import type { FindingsAnswer } from '../../shared/findings/finding.ts';
import { readModel } from '../support/reference-model.ts';
import type { Summary } from '../../shared/summary/summary.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { ProfileReader } from '../../shared/input/profile-reader.ts';
import { openGunzip } from '../../electron/source/read-bytes.ts';
import type { Scope, Transform } from '../../shared/scope/scope.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { fragmentOf } from '../../renderer/store/links/scope-address.ts';
import { Driven, LOG } from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { randomScope } from '../support/random-scope.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('same summary');
const QUERIES = testSize(12, 300);
const MODEL = readModel(LOG);

async function factsOf(bytes: Uint8Array): Promise<LogFacts> {
  const reader = new ProfileReader(new ProfileAggregator({ samples: true }), {}, openGunzip);
  await reader.push(bytes);
  await reader.end();
  return reader.facts();
}

test(`the window and the command line say the same of ${QUERIES} scopes: numbers, sentences, findings`, async () => {
  const facts = await factsOf(LOG);
  const log = new FollowedLog();
  log.append(LOG, true);
  const driven = new Driven(
    { type: 'facts', facts, project: NO_PROJECT },
    { type: 'pane', pane: 'summary', spec: { kind: 'answer', of: 'methods' } },
  );
  driven.ask({ type: 'delta', message: log.delta() });
  let answered = 0;
  for (let scenario = 0; scenario < QUERIES; scenario++) {
    const random = randomFor(scenario);
    const { threads, transforms } = randomScope(random, MODEL, 'fqmn');
    const keyed = transforms.map((transform) => ({ ...transform, keys: 'fqmn' }) as Transform);
    const hasOnly = keyed.findIndex(({ kind }) => kind === 'only');
    // Neither a link nor an option has an empty value, and all options --only are one transform.
    const scope: Scope = {
      threads,
      transforms: keyed.filter(
        (transform, at) =>
          kindOf(transform)
            .values(transform)
            .every((value) => value !== '') &&
          (transform.kind !== 'only' || at === hasOnly),
      ),
    };
    const keys = withErrorsJoined('fqmn');
    driven.ask({ type: 'view', ...INITIAL_QUERY, keys, scope, hidesErrors: true });
    const shown = driven.last('answer');
    const where = `SEED=${seed} scenario ${scenario} ${JSON.stringify(scope)}`;
    const { stdout, stderr } = await runCli([
      'summary',
      goldenPath('server-small'),
      '--json',
      ...options(scope),
    ]);
    expect(stdout, `${where} ${stderr}`).not.toBe('');
    const told = JSON.parse(stdout) as { summary: Summary; findings: FindingsAnswer };
    // Where no sample in scope has a stack the command counts them nevertheless, and the window offers to.
    if (shown.summary.samples === 0 && told.summary.samples > 0) continue;
    expect(plain(withoutIds(shown.summary)), where).toEqual(withoutIds(told.summary));
    const byId = ({ findings }: FindingsAnswer): unknown =>
      findings.toSorted((a, b) => (a.id + (a.subject ?? '') < b.id + (b.subject ?? '') ? -1 : 1));
    expect(plain(byId(shown.findings!)), where).toEqual(byId(told.findings));
    expect(shown.findings?.notAssessed, where).toEqual(told.findings.notAssessed);
    if (told.summary.answer !== undefined) answered++;
  }
  expect(answered).toBeGreaterThan(QUERIES / 4);
});

function options(scope: Scope): readonly string[] {
  const log = { name: 'log', scope, hidesErrors: false, where: [], split: [], zoom: undefined };
  const fragment = fragmentOf({ frames: 'fqmn', threads: undefined, logs: [log] });
  return [...new URLSearchParams(fragment.slice(1).replaceAll('+', '%2B'))].flatMap(([name, value]) => {
    if (name === 'log' || name === 'frames') return [];
    return [`--${name === 'or' ? 'only' : name}=${value}`];
  });
}

/** As JSON carries it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Ids of rows depend on the order in which a profile was made. */
function withoutIds(summary: Summary): unknown {
  return JSON.parse(JSON.stringify(summary, (key, value: unknown) => (key === 'id' ? undefined : value)));
}
