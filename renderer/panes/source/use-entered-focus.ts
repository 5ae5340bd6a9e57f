import { type RefObject, useEffect } from 'react';
import { enterPane } from '../enter-pane.ts';
import { useWindow } from '../../store/window-store.ts';

/** Takes the focus when the pane was entered before its content had arrived. */
export function useEnteredFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pane = content.current?.closest('[data-pane]');
    const isInside = pane?.contains(document.activeElement) === true;
    if (useWindow.getState().focusedPane === 'source' && !isInside) enterPane('source');
  }, [content]);
}
