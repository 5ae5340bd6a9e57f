import { type RefObject, useEffect } from 'react';
import { cancelDrag } from '../store/actions/time-actions.ts';
import { take } from '../widgets/key-name.ts';

/**
 * Escape ends the drag of a range, and does nothing else. The focus may be anywhere: pressing the mouse does not move it.
 */
export function useDragEscape(drag: RefObject<object | undefined>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || drag.current === undefined) return;
      drag.current = undefined;
      cancelDrag();
      take(event);
    }
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [drag]);
}
