import { expect, test } from 'vitest';
import { showsHottestLines } from '../../../../renderer/store/selectors.ts';
import { EMPTY_SCOPE, type Scope } from '../../../../shared/scope/scope.ts';
import { profileSummary } from '../../../support/window-events.ts';

const LARGE = 7_700_000;
const FOLDED: Scope = { ...EMPTY_SCOPE, transforms: [{ kind: 'merge', key: 'a.B.c' }] };

test('a method has its hottest lines in any profile, unless they need a copy of very many call nodes', () => {
  const shows = (nodes: number, scope = EMPTY_SCOPE, other?: string): boolean =>
    showsHottestLines({
      scope,
      summary: profileSummary({ samples: 20, totalTime: 0, methods: 6, nodes }),
      baseline: other === undefined ? undefined : { log: other, range: undefined, threads: undefined },
    });
  expect(shows(LARGE)).toBe(true);
  expect(shows(LARGE, { ...EMPTY_SCOPE, threads: ['main'] })).toBe(true);
  expect(shows(1_000, FOLDED)).toBe(true);
  expect(shows(1_000, EMPTY_SCOPE, 'log-2')).toBe(true);
  expect(shows(LARGE, FOLDED)).toBe(false);
  expect(shows(LARGE, EMPTY_SCOPE, 'log-2')).toBe(false);
});
