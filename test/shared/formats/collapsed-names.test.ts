import { expect, test } from 'vitest';
import { exportCollapsed } from '../../../shared/export/collapsed.ts';
import { COLLAPSED } from '../../../shared/formats/collapsed/format.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import type { ThreadGrouping } from '../../../shared/engine/trees/grouping.ts';
import { KEEP_ALL } from '../../../shared/engine/views/filter.ts';
import { HOSTILE_NAMES, randomName } from '../../support/hostile-names.ts';
import { hostileProfile } from '../../support/hostile-profile.ts';
import { foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
import { decodeInput } from '../../support/read-input.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('collapsed names');

const written = (profile: LeanProfile, threads: ThreadGrouping): string => {
  let text = '';
  const grouping = { threads, frames: 'fqmn' } as const;
  exportCollapsed({ profile, ...grouping, metric: 'samples', filter: KEEP_ALL }, (piece) => (text += piece));
  return text;
};

function read(text: string): { readonly profile: LeanProfile; readonly skips: readonly string[] } {
  const { profile, decoder } = decodeInput(COLLAPSED, new TextEncoder().encode(text));
  return { profile, skips: decoder.facts().skips };
}

const framesOf = (text: string): readonly string[] =>
  foldedLines(stacksOf(read(text).profile), ({ frames }) => frames.map(methodText).join('|'), 'count');

test('a frame that is a blank is one, also at the end of a stack', () => {
  expect(framesOf('a; ;b 3')).toEqual(['a| |b 3']);
  expect(framesOf('a;  3')).toEqual(['a|  3']);
  expect(framesOf('a;   3')).toEqual(['a|   3']);
});

test('blanks between a stack and its number belong to neither', () => {
  expect(framesOf('a;b    3')).toEqual(['a|b 3']);
  expect(framesOf('a;b\t3')).toEqual(['a|b 3']);
  expect(framesOf('a; 3')).toEqual(['a 3']);
  expect(read('   3\n').skips).toHaveLength(1);
});

const NAMES = [
  ...HOSTILE_NAMES,
  '#comment',
  '//comment',
  '[main tid=7]',
  'a ',
  ' a',
  '; ',
  'a 3',
  ':',
  'a:12',
];

test.each(NAMES)('stacks of the name %j are read as they were written', (name) => {
  for (const threads of ['all', 'name'] as const) {
    const text = written(hostileProfile([name, `${name}x`, 'plain']).profile, threads);
    const again = read(text);
    expect(again.skips).toEqual([]);
    const samples = stacksOf(again.profile).reduce((sum, { count }) => sum + count, 0);
    expect(samples).toBe(3);
    if (threads === 'all') expect(written(again.profile, 'all')).toBe(text);
  }
});

test('stacks of random names are read as they were written', () => {
  for (let scenario = 0; scenario < 100; scenario++) {
    const random = randomFor(scenario);
    const names = Array.from({ length: 20 }, () => randomName(random).replace(/_\[[jik01]\]$/, ''));
    const text = written(hostileProfile(names).profile, 'all');
    const { profile, skips } = read(text);
    expect([written(profile, 'all'), skips], `SEED=${seed} scenario ${scenario}`).toEqual([text, []]);
  }
});
