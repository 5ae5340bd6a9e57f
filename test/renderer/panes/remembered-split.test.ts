import { expect, test } from 'vitest';
import { draggedShare, movedShare } from '../../../renderer/panes/RememberedSplit.tsx';

test('a dragged bar follows the pointer and leaves both parts their least size', () => {
  expect([0, 80, 200, 390, 500].map((at) => draggedShare(at, 400, 80))).toEqual([20, 20, 50, 80, 80]);
  // Too small for both: in the middle.
  expect(draggedShare(10, 100, 80)).toBe(50);
  expect(draggedShare(10, 0, 80)).toBe(50);
});

test('keys move the bar along its direction, with Shift further', () => {
  const move = (key: string, isRows: boolean, shiftKey = false): number | undefined =>
    movedShare({ key, shiftKey }, isRows, 50, 1000, 100);
  expect([move('ArrowUp', true), move('ArrowDown', true)]).toEqual([48, 52]);
  expect([move('ArrowLeft', false), move('ArrowRight', false, true)]).toEqual([48, 60]);
  expect([move('ArrowLeft', true), move('ArrowUp', false), move('Enter', true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([move('Home', true), move('End', true)]).toEqual([10, 90]);
});
