import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openGunzip } from '../../../electron/source/read-bytes.ts';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../../shared/engine/query.ts';
import { findingsInSteps, findingsOf } from '../../../shared/findings/find.ts';
import { type FindingFacts, NO_PROJECT } from '../../../shared/findings/finding.ts';
import { ProfileReader } from '../../../shared/input/profile-reader.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';

async function shopProfile(): Promise<{ profile: LeanProfile; facts: FindingFacts }> {
  const aggregator = new ProfileAggregator({ samples: true });
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  await reader.push(gunzipSync(readFileSync('assets/shop.hpl.gz')));
  await reader.end();
  return { profile: aggregator.profile, facts: reader.facts() };
}

test('findings have one column as long as the call nodes at a time, and give it back', async () => {
  const { profile, facts } = await shopProfile();
  const engine = new Engine();
  engine.add('log', profile);
  const { recorded } = engine.view('log', INITIAL_QUERY).samples;
  const held = new Set<ArrayBuffer>();
  let taken = 0;
  let most = 0;
  const counted = new Proxy(Int32Array, {
    construct(target, [length]: [number]) {
      const column = new target(length);
      if (length < profile.nodes.length) return column;
      held.add(column.buffer);
      most = Math.max(most, held.size);
      taken++;
      return column;
    },
  });
  const known = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'transfer');
  Object.defineProperty(ArrayBuffer.prototype, 'transfer', {
    configurable: true,
    value(this: ArrayBuffer) {
      held.delete(this);
    },
  });
  vi.stubGlobal('Int32Array', counted);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    if (known === undefined) Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer');
    else Object.defineProperty(ArrayBuffer.prototype, 'transfer', known);
  });
  const { findings } = findingsOf({ ...recorded, facts, project: NO_PROJECT });
  expect(findings.length).toBeGreaterThan(0);
  expect(taken).toBeGreaterThan(2);
  expect({ most, left: held.size }).toEqual({ most: 1, left: 0 });
});

test('findings are those of the log as it was when they began, also where it grows between their steps', async () => {
  const bytes = gunzipSync(readFileSync('assets/shop.hpl.gz'));
  const aggregator = new ProfileAggregator({ samples: true });
  const reader = new ProfileReader(aggregator, {}, openGunzip);
  await reader.push(bytes.subarray(0, bytes.length / 2));
  const engine = new Engine();
  engine.add('log', aggregator.profile);
  const question = (): Parameters<typeof findingsOf>[0] => {
    const { recorded } = engine.view('log', INITIAL_QUERY).samples;
    return { ...recorded, facts: reader.facts(), project: NO_PROJECT };
  };
  const before = findingsOf(question());
  const steps = findingsInSteps(question());
  for (let step = 0; step < 3; step++) steps.next();
  await reader.push(bytes.subarray(bytes.length / 2));
  await reader.end();
  engine.grew('log');
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  expect(last.value).toEqual(before);
  expect(before.findings.length).toBeGreaterThan(0);
  expect(findingsOf(question())).not.toEqual(before);
});
