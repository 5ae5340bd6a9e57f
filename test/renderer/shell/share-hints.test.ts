import { expect, test } from 'vitest';
import type { ProfileSummary } from '../../../renderer/profile-worker/mirror-messages.ts';
import { errorShare } from '../../../renderer/shell/ScopeRow.tsx';
import { searchResult } from '../../../renderer/shell/Find.tsx';
import { type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import { logStatus, profileSummary } from '../../support/window-events.ts';

const log: LogView = {
  ...newLogView('a', undefined, 'a.hpl', '/'),
  status: logStatus({ format: 'honest-log', samples: 200, errorSamples: { '-3': 20 } }),
  summary: profileSummary({ samples: 200, hidden: { samples: 20, time: 0 } }),
  searchText: 'Shop',
};
const found = { type: 'search', text: 'Shop', problem: undefined, names: 3, samples: 45, time: 0 } as const;

test('what a search has found, and in which share of the samples', () => {
  expect(searchResult({ ...log, search: found })).toEqual({
    text: '3 names · 25.0 %',
    hint: '3 names, in 25.0 % of samples',
  });
  expect(searchResult({ ...log, search: { ...found, names: 0 } })).toEqual({ text: 'no match' });
});

test('the share of samples without a stack, hidden or shown, is of those in scope', () => {
  const all = { errors: 20, share: '10.0 %' };
  const sum = (samples: number) => ({ samples, time: 0 });
  const shareOf = (summary: ProfileSummary, isHidden: boolean): unknown =>
    errorShare({ ...log, summary }, isHidden);
  const shown = profileSummary({ samples: 200, errors: 20 });
  const hidden = { ...shown, hidden: sum(20) };
  expect([shareOf(shown, false), shareOf(hidden, true)]).toEqual([all, all]);
  expect(shareOf(profileSummary({ samples: 200 }), false)).toBeUndefined();
  // 60 of 200 are outside, 15 errors among them; the numbers of the file may be ahead.
  const scoped = { ...shown, errors: 5, outside: sum(60) };
  expect(shareOf(scoped, false)).toMatchObject({ errors: 5, share: '3.6 %' });
  const scopedHidden = { ...scoped, hidden: sum(20), outside: sum(45) };
  expect(shareOf(scopedHidden, true)).toMatchObject({ errors: 5, share: '3.6 %' });
  // Hidden ones can be shown again where the scope has none.
  const without = { ...scopedHidden, errors: 0 };
  expect([shareOf(without, true), shareOf({ ...without, hidden: sum(0) }, false)]).toMatchObject([
    { errors: 0, share: '0.0 %' },
    undefined,
  ]);
});
