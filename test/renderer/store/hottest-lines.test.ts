import { expect, test } from 'vitest';
import { showsHottestLines } from '../../../renderer/store/state/selectors.ts';
import { type LogKey, type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import { EMPTY_SCOPE, type Scope } from '../../../shared/scope/scope.ts';
import { profileSummary } from '../../support/window-events.ts';

const LARGE = 7_700_000;
const OTHER = 'host:log-2';
const FOLDED: Scope = { ...EMPTY_SCOPE, transforms: [{ kind: 'merge', key: 'a.B.c' }] };

test('a method has its hottest lines in any profile, where they need a copy of very many call nodes only if they are asked for', () => {
  const shows = (
    nodes: number,
    scope = EMPTY_SCOPE,
    other?: LogKey,
    linesAsked?: LogView['linesAsked'],
  ): boolean =>
    showsHottestLines({
      ...newLogView('a', undefined, 'a', ''),
      scope,
      linesAsked,
      summary: profileSummary({ samples: 20, totalTime: 0, methods: 6, nodes }),
      baseline: other === undefined ? undefined : { log: other, range: undefined, threads: undefined },
    });
  expect(shows(LARGE)).toBe(true);
  expect(shows(LARGE, { ...EMPTY_SCOPE, threads: ['main'] })).toBe(true);
  expect(shows(1_000, FOLDED)).toBe(true);
  expect(shows(1_000, EMPTY_SCOPE, OTHER)).toBe(true);
  expect(shows(LARGE, FOLDED)).toBe(false);
  expect(shows(LARGE, EMPTY_SCOPE, OTHER)).toBe(false);

  // Asked for once, they come back with the same transforms, whatever else is in scope.
  const asked = { transforms: FOLDED.transforms, base: undefined };
  expect(shows(LARGE, FOLDED, undefined, asked)).toBe(true);
  expect(shows(LARGE, { ...FOLDED, threads: ['main'] }, undefined, asked)).toBe(true);
  expect(shows(LARGE, { ...FOLDED, transforms: [...FOLDED.transforms] }, undefined, asked)).toBe(false);
  expect(shows(LARGE, FOLDED, OTHER, asked)).toBe(false);
});
