import { expect, test } from 'vitest';
import { collectBytes } from '../../../shared/export/export-input.ts';
import { writeFlat } from '../../../shared/export/flat.ts';
import { collectText } from '../../../shared/export/text-sink.ts';
import { exportTrcbin } from '../../../shared/export/trcbin.ts';
import { writeTree } from '../../../shared/export/tree.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { THREAD_GROUPINGS } from '../../../shared/engine/trees/grouping.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';
import { hostileProfile } from '../../support/hostile-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { readInput } from '../../support/read-input.ts';
import { GOLDEN_LOGS, goldenLog } from '../../support/read-log.ts';

const written = (profile: LeanProfile): Uint8Array => collectBytes((sink) => exportTrcbin(profile, sink));

/** The canonical texts that lines and BCIs make no difference to. */
function texts(profile: LeanProfile): readonly string[] {
  const flat = collectText((sink) =>
    writeFlat({ profile, frames: 'fqmn', recursion: 'once', filter: KEEP_ALL }, sink),
  );
  return [
    flat,
    ...THREAD_GROUPINGS.map((threads) =>
      collectText((sink) => writeTree({ profile, threads, frames: 'fqmn', filter: KEEP_ALL }, sink)),
    ),
  ];
}

test('a profile is what is read back', () => {
  const { profile } = profileFromText(`
    main       main         main       gc                    ?
    Shop.main  Shop.main    Shop.main  AGCT.GcActiveErr2     ?7
    Cart.add   Cart.add:12
  `);
  const read = readInput(written(profile));
  expect(texts(read.profile)).toEqual(texts(profile));
  expect(read.format).toBe('tptp');
  expect(read.decoder.bytes.pending).toBe(0);
  expect(read.decoder.facts().notes).toHaveLength(1);
});

test.each(GOLDEN_LOGS.filter((name) => name !== 'server-20mb'))('%s is what is read back', (name) => {
  const { profile } = readInput(goldenLog(name));
  expect(texts(readInput(written(profile)).profile)).toEqual(texts(profile));
});

test('names that mean something else elsewhere', () => {
  const { profile } = hostileProfile(
    HOSTILE_NAMES.filter((name) => !/\0|^-|^[^.]*\/\D|\p{Surrogate}/u.test(name)),
  );
  expect(texts(readInput(written(profile)).profile)).toEqual(texts(profile));
});

test('B15: calls a million deep', () => {
  const aggregator = profileFromText('main\nShop.main');
  let node = 1;
  for (let depth = 2; depth <= 1_000_000; depth++)
    node = aggregator.callee(node, depth, 0, 1 + (depth % 50), -100, -1);
  aggregator.samplesAt(node, 3, 17);
  const read = readInput(written(aggregator.profile));
  expect(read.aggregator.deepestStack).toBe(1_000_000);
  expect(read.aggregator.sampleCount).toBe(4);
});

test('counts in parts are rounded, and said to be', () => {
  const { profile } = profileFromText('main\nShop.main');
  profile.selfValues.count[0] = 2.5;
  let rounded = 0;
  const bytes = collectBytes((sink) => (rounded = exportTrcbin(profile, sink)));
  expect([rounded, readInput(bytes).aggregator.sampleCount]).toEqual([1, 3]);
});
