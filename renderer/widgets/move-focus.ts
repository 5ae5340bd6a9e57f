import type { KeyboardEvent } from 'react';
import { take } from './key-name.ts';

/**
 * Moves the focus among elements in a row or a column: by its arrows round the ends, by Home and End to the first and the
 * last. Returns the one that has the focus then; undefined for other keys.
 */
export function moveFocus(
  event: KeyboardEvent,
  axis: 'row' | 'column',
  all: readonly HTMLElement[],
): HTMLElement | undefined {
  const at = all.findIndex((each) => each === document.activeElement);
  const [back, on] = axis === 'row' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const places: Readonly<Record<string, number | undefined>> = {
    [back]: at - 1,
    [on]: at + 1,
    Home: 0,
    End: -1,
  };
  const to = places[event.key];
  const next = to === undefined ? undefined : all.at(to % all.length);
  if (next === undefined) return undefined;
  take(event);
  next.focus();
  return next;
}
