import { expect, test } from 'vitest';
import { fromWire, toWire } from '../../../../renderer/profile-worker/flame-columns.ts';
import type { MirrorEvent } from '../../../../renderer/profile-worker/mirror-messages.ts';
import { flameRows } from '../../../support/flame-rows.ts';

test('rows of a flame graph travel as columns and come out as they were', () => {
  const rows = flameRows(`
    all 10.5
      a 6
        c* 4
        a 2
      b* 3
      ~2 1
  `).map((row, at) => ({ ...row, totalTime: -(2 ** 52) + at, selfCount: 2 ** 32 - at, id: at - 1 }));
  const event: MirrorEvent = {
    type: 'flame',
    pane: 'flame',
    rows,
    path: [{ id: undefined, label: 'All Threads' }],
    pathLeftOut: 0,
    zoom: undefined,
    searching: true,
    smaller: 2,
    smallerWeight: 1,
    deepest: 2,
  };
  expect(fromWire(structuredClone(toWire(event)))).toEqual(event);
  expect(fromWire(toWire({ type: 'gap' }))).toEqual({ type: 'gap' });
});
