import { expect, test } from 'vitest';
import { viewEntries } from '../../../../renderer/shell/ViewOptions.tsx';
import { DEFAULT_PREFERENCES } from '../../../../renderer/store/state/preferences.ts';
import { lackOfThreads, shownColourBy } from '../../../../renderer/store/state/selectors.ts';
import { INITIAL_STATE, newLogView } from '../../../../renderer/store/state/window-state.ts';
import type { ThreadGrouping } from '../../../../shared/engine/trees/grouping.ts';
import { profileSummary } from '../../../support/window-events.ts';

test('colours by thread are offered and shown where rows have a thread, or a value of an attribute', () => {
  const told = (threads: ThreadGrouping, count: number, contextKeys: readonly string[]): string => {
    const summary = profileSummary({ threads: count, contextKeys });
    const log = { ...newLogView('a', undefined, 'a', ''), summary };
    const preferences = { ...DEFAULT_PREFERENCES, threads, colourBy: 'thread' } as const;
    const state = { ...INITIAL_STATE, logs: [log], active: 'a' };
    const offered = viewEntries({ ...state, preferences: { ...preferences, colourBy: 'self' } });
    const isOffered = offered.some((entry) => entry !== 'separator' && entry.text === 'Colours: Thread');
    const lack = lackOfThreads(log, preferences) ?? 'all there';
    return `${shownColourBy(log, preferences)}, ${isOffered ? 'offered' : 'not offered'}: ${lack}`;
  };
  const needed = 'package, not offered: Needs threads by pool, name or id';
  expect(told('all', 3, [])).toBe(needed);
  expect(told('pool', 3, [])).toBe('thread, offered: all there');
  expect(told('pool', 1, [])).toBe('package, not offered: This log has one thread');
  expect(told('context:operation', 3, [])).toBe(needed);
  expect(told('group', 3, [])).toBe(needed);
  expect(told('context:operation', 1, ['operation'])).toBe('thread, offered: all there');
});
