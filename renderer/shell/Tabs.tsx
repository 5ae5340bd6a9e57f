import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { openDialog } from '../store/actions/actions.ts';
import { quietLogs } from '../store/state/quiet-log.ts';
import { isConnected } from '../store/state/selectors.ts';
import { activate, activateNeighbour, closeLog, moveTab } from '../store/actions/tab-actions.ts';
import { type TabName, tabNames } from '../store/state/log-names.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { StateMark, stateText } from './log-state.tsx';
import { placeOf, useLogMenu } from './use-log-menu.tsx';
import './tabs.css';

/** One tab per open log; the name of a single log is in the top row. */
export function Tabs(): ReactNode {
  const [quiet] = useState(quietLogs);
  const logs = useWindow(quiet);
  const active = useWindow((state) => state.active);
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(list);
  const names = tabNames(logs);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const focused = tabs.findIndex((tab) => tab === event.target);
    const act = shiftKey || ctrlKey || metaKey || altKey ? undefined : tabKey(key);
    if (focused < 0 || act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act(logs[focused].key);
    // A closed tab takes the focus with it: the next key would be one of the window.
    tabs[logs.findIndex((log) => log.key === useWindow.getState().active)]?.focus();
  }

  if (logs.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Logs">
      <div
        ref={list}
        className="tab-list"
        role="tablist"
        aria-label="Open logs"
        onKeyDown={onKeyDown}
        onWheel={({ currentTarget, deltaY }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {logs.map((log, at) => (
          <Tab
            key={log.key}
            {...{ log, at, drag }}
            name={names[at]}
            isActive={log.key === active}
            isLast={at === logs.length - 1}
          />
        ))}
      </div>
    </nav>
  );
}

interface TabProps {
  readonly log: LogView;
  readonly at: number;
  readonly name: TabName;
  readonly isActive: boolean;
  readonly isLast: boolean;
  readonly drag: TabDrag;
}

function Tab({ log, at, name: { name, apart, differs }, isActive, isLast, drag }: TabProps): ReactNode {
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const tab = useRef<HTMLDivElement>(null);
  // A tab that is moved is scrolled to as well.
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive, at]);
  useEffect(() => {
    // The focus of a tab goes with the log in front: another one would have the ring, and get the keys.
    const hasFocus = document.activeElement?.getAttribute('role') === 'tab';
    if (isActive && hasFocus) tab.current?.querySelector<HTMLElement>('[role=tab]')?.focus();
  }, [isActive]);
  const { menu, onContextMenu } = useLogMenu(log);
  const dropsHere = drag.before === at ? 'before' : isLast && drag.before === at + 1 ? 'after' : undefined;
  return (
    <div
      ref={tab}
      className={isActive ? 'tab tab-active' : 'tab'}
      data-testid="tab"
      data-drop={dropsHere}
      data-dragged={drag.key === log.key ? '' : undefined}
      role="presentation"
      onContextMenu={onContextMenu}
      onDoubleClick={() => openDialog({ kind: 'rename', log: log.key })}
      onAuxClick={(event) => {
        if (event.button === 1) closeLog(log.key);
      }}
      onPointerDown={(event) => drag.press(log.key, event)}
    >
      <button
        type="button"
        role="tab"
        aria-selected={isActive}
        aria-controls={isActive ? 'log-view' : undefined}
        tabIndex={isActive ? 0 : -1}
        className="tab-name line grow"
        data-tip={placeOf(log)}
        onClick={() => activate(log.key)}
      >
        <StateMark tone={tone} title={text} />
        <ElidedText className="tab-text" text={name} keeps={differs} />
        {apart !== '' && (
          <>
            <span className="unseen">, </span>
            <span className="tab-apart cut dim">{apart}</span>
          </>
        )}
        <span className="unseen">, {text}</span>
      </button>
      <Button
        icon="close"
        className="log-close"
        tip="Close"
        tabIndex={-1}
        // A tab list may contain only tabs, so the button is hidden from it; Delete closes a tab by keyboard.
        aria-hidden="true"
        onClick={() => closeLog(log.key)}
        onDoubleClick={(event) => event.stopPropagation()}
        onPointerDown={(event) => event.stopPropagation()}
      />
      {menu}
    </div>
  );
}

/** CSS pixels that the pointer moves before a press is a drag. */
const DRAG_FROM = 5;

interface TabDrag {
  /** The tab that is dragged. */
  readonly key: LogKey | undefined;
  /** It would be put in front of the tab that is there; undefined while nothing is dragged. */
  readonly before: number | undefined;
  press(key: LogKey, event: ReactPointerEvent): void;
}

/** Tabs are moved by dragging them. A line shows the new place; Esc cancels. */
function useTabDrag(list: RefObject<HTMLElement | null>): TabDrag {
  const [pressed, setPressed] = useState<{ readonly key: LogKey; readonly x: number }>();
  const [before, setBefore] = useState<number>();

  // The pointer leaves the tab before it has moved far enough, so the window listens.
  useEffect(() => {
    if (pressed === undefined) return;
    const { key, x } = pressed;
    const listening = new AbortController();
    const { signal } = listening;
    let place: number | undefined;
    function end(): void {
      setPressed(undefined);
      setBefore(undefined);
    }
    function onMove({ buttons, clientX }: PointerEvent): void {
      // The button was released outside of the window.
      if ((buttons & 1) === 0) return end();
      if (place === undefined && Math.abs(clientX - x) < DRAG_FROM) return;
      const tabs = Array.from(list.current?.children ?? [], (tab) => tab.getBoundingClientRect());
      place = placeAt(clientX, tabs);
      setBefore(place);
    }
    function onUp(): void {
      if (place !== undefined) moveTab(key, place);
      end();
    }
    function onEscape(event: globalThis.KeyboardEvent): void {
      if (event.key !== 'Escape' || place === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    }
    window.addEventListener('pointermove', onMove, { signal });
    window.addEventListener('pointerup', onUp, { signal });
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', onEscape, { capture: true, signal });
    return () => listening.abort();
  }, [pressed, list]);

  return {
    key: before === undefined ? undefined : pressed?.key,
    before,
    press: (key, { button, clientX }) => {
      if (button === 0) setPressed({ key, x: clientX });
    },
  };
}

/** Where something dropped at `x` is inserted among boxes from left to right: after those whose middle is left of `x`. */
export function placeAt(
  x: number,
  boxes: readonly { readonly left: number; readonly right: number }[],
): number {
  return boxes.filter(({ left, right }) => (left + right) / 2 < x).length;
}

/** The action of a key on the tab with the focus; undefined for keys that mean nothing there. */
export function tabKey(key: string): ((focused: LogKey) => void) | undefined {
  if (key === 'ArrowRight') return () => activateNeighbour(1);
  if (key === 'ArrowLeft') return () => activateNeighbour(-1);
  return key === 'Delete' ? closeLog : undefined;
}
