import { expect, test } from 'vitest';
import { errorShare } from '../../../../renderer/shell/error-share.ts';
import { searchResult } from '../../../../renderer/shell/search-result.ts';
import { type LogView, newLogView } from '../../../../renderer/store/window-state.ts';
import { logStatus, profileSummary } from '../../../support/window-events.ts';

const log: LogView = {
  ...newLogView('a', undefined, 'a.hpl', '/'),
  status: logStatus({ format: 'honest-log', samples: 200, errorSamples: { '-3': 20 } }),
  summary: profileSummary({ samples: 200, hidden: { samples: 20, time: 0 } }),
  searchText: 'Shop',
};
const found = { type: 'search', text: 'Shop', problem: undefined, names: 3, samples: 45, time: 0 } as const;

test('what a search has found says how exactly its share is known', () => {
  expect(searchResult({ ...log, search: found })).toEqual({
    text: '3 names · 25.0 %',
    hint: '3 names, in 25.0 % of samples: 45 of 180 samples, 95 % interval 19.24 to 31.80 %',
  });
  expect(searchResult({ ...log, search: { ...found, names: 0 } })).toEqual({ text: 'no match' });
});

test('so does the share of samples without a stack, hidden or shown', () => {
  const all = { errors: 20, share: '10.0 %', certainty: '20 of 200 samples, 95 % interval 6.57 to 14.94 %' };
  expect([errorShare(log, false), errorShare(log, true)]).toEqual([all, all]);
  expect(errorShare({ ...log, status: logStatus({ samples: 200 }) }, false)).toBeUndefined();
});
