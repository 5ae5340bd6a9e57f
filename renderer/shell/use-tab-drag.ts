import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useState } from 'react';
import { moveTab } from '../store/tab-actions.ts';
import type { LogKey } from '../store/window-state.ts';
import { placeAt } from './place-at.ts';

/** CSS pixels that the pointer moves before a press is a drag. */
const DRAG_FROM = 5;

interface Press {
  readonly key: LogKey;
  readonly x: number;
}

export interface TabDrag {
  /** The tab that is dragged. */
  readonly key: LogKey | undefined;
  /** It would be put in front of the tab that is there; undefined while nothing is dragged. */
  readonly before: number | undefined;
  press(key: LogKey, event: ReactPointerEvent): void;
}

/** Tabs are moved by dragging them. A line shows the new place; Esc cancels. */
export function useTabDrag(list: RefObject<HTMLElement | null>): TabDrag {
  const [pressed, setPressed] = useState<Press>();
  const [before, setBefore] = useState<number>();

  // The pointer leaves the tab before it has moved far enough, so the window listens.
  useEffect(() => {
    if (pressed === undefined) return;
    let place: number | undefined;
    function end(): void {
      setPressed(undefined);
      setBefore(undefined);
    }
    function onMove({ buttons, clientX }: PointerEvent): void {
      if (pressed === undefined) return;
      // The button was released outside of the window.
      if ((buttons & 1) === 0) return end();
      if (place === undefined && Math.abs(clientX - pressed.x) < DRAG_FROM) return;
      const tabs = Array.from(list.current?.children ?? [], (tab) => tab.getBoundingClientRect());
      place = placeAt(clientX, tabs);
      setBefore(place);
    }
    function onUp(): void {
      if (pressed !== undefined && place !== undefined) moveTab(pressed.key, place);
      end();
    }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || place === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    }
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', onKeyDown, true);
    return () => {
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', onKeyDown, true);
    };
  }, [pressed, list]);

  return {
    key: before === undefined ? undefined : pressed?.key,
    before,
    press: (key, { button, clientX }) => {
      if (button === 0) setPressed({ key, x: clientX });
    },
  };
}
