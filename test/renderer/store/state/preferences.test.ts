import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, readPreferences } from '../../../../renderer/store/state/preferences.ts';

test('what was stored comes back', () => {
  const preferences = {
    ...DEFAULT_PREFERENCES,
    theme: 'dark',
    panes: 'flame',
    tree: 'bottom-up',
    flame: 'bottom-up',
    frames: 'bci',
    metrics: { cpu: 'time' },
    leavesOutIdle: false,
    leavesOutErrors: false,
    summary: false,
    sorts: { ...DEFAULT_PREFERENCES.sorts, tree: { by: 'label', descending: false } },
    orientation: 'icicle',
    colourBy: 'self',
    splits: { rows: 30 },
    attachWith: 'dumps',
  } as const;
  expect(readPreferences(JSON.stringify(preferences))).toEqual(preferences);
});

test('nothing, rubbish and the wrong kind of thing are defaults', () => {
  for (const text of [null, '', '{', 'null', '[]', '"dark"', '42']) {
    expect(readPreferences(text)).toEqual(DEFAULT_PREFERENCES);
  }
});

test('what cannot be understood falls back singly', () => {
  const stored = {
    theme: 'sepia',
    panes: 'tree',
    sorts: {
      tree: { by: 'colour', descending: true },
      flat: { by: 'totalTime' },
      weather: { by: 'label' },
    },
    splits: { rows: { flame: 30, tables: 70 }, columns: 40, other: 50 },
    __proto__: { metrics: { cpu: 'time' } },
    attachWith: 'agent',
  };
  expect(readPreferences(JSON.stringify(stored))).toEqual({
    ...DEFAULT_PREFERENCES,
    panes: 'tree',
    sorts: { ...DEFAULT_PREFERENCES.sorts, flat: { by: 'totalTime', descending: false } },
    splits: { columns: 40 },
  });
});
