import { type RefObject, useEffect } from 'react';
import { take } from '../widgets/key-name.ts';
import { cancelDrag } from './timeline/drag-range.ts';

/**
 * Escape ends a drag, and does nothing else. The focus may be anywhere: pressing the mouse does not move it. `cancel` undoes
 * what was dragged.
 */
export function useDragEscape(drag: RefObject<object | undefined>, cancel: () => void = cancelDrag): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || drag.current === undefined) return;
      drag.current = undefined;
      cancel();
      take(event);
    }
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [drag, cancel]);
}
