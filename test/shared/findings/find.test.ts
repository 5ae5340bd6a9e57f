import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { findingsInSteps, findingsOf } from '../../../shared/findings/find.ts';
import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { ProfileInput } from '../../../shared/input/profile-input.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';

test('findings are those of the log as it was when they began, also where it grows between their steps', async () => {
  const bytes = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const aggregator = new ProfileAggregator({ samples: true });
  const input = new ProfileInput(new ProfileReader(aggregator, {}), openGunzip);
  await input.push(bytes.subarray(0, bytes.length / 2));
  const engine = new Engine();
  engine.add('log', aggregator.profile);
  const question = (): Parameters<typeof findingsOf>[0] => {
    const { recorded } = engine.view('log', INITIAL_QUERY).samples;
    return { ...recorded, facts: input.facts(), project: NO_PROJECT };
  };
  const before = findingsOf(question());
  const steps = findingsInSteps(question());
  for (let step = 0; step < 3; step++) steps.next();
  await input.push(bytes.subarray(bytes.length / 2));
  await input.end(true);
  engine.grew('log');
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  expect(last.value).toEqual(before);
  expect(before.findings.length).toBeGreaterThan(0);
  expect(findingsOf(question())).not.toEqual(before);
});
