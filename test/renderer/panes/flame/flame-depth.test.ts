import { expect, test } from 'vitest';
import { type DrawnDepth, decidedDepth } from '../../../../renderer/panes/flame/flame-zoom.ts';

const ALL: DrawnDepth = { zoom: undefined, isHigher: false, isUsed: false, isAllRead: true };
const ZOOM = { row: 7, run: undefined };

test.each<[Partial<DrawnDepth>, boolean | undefined]>([
  [{}, false],
  [{ isHigher: true }, true],
  [{ isHigher: true, isAllRead: false }, true],
  [{ isAllRead: false }, undefined],
  [{ isHigher: true, isUsed: true, isAllRead: false }, undefined],
  // The part that is shown says nothing of the whole.
  [{ zoom: ZOOM }, undefined],
  [{ zoom: ZOOM, isHigher: true }, undefined],
])('whether a graph is deep is decided when all of it is drawn: %j', (change, isDeep) => {
  expect(decidedDepth({ ...ALL, ...change })).toBe(isDeep);
});
