import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { openDialog } from '../store/actions/actions.ts';
import { quietLogs } from '../store/state/quiet-log.ts';
import { isConnected } from '../store/state/selectors.ts';
import { activate, activateNeighbour, closeLog, moveTab } from '../store/actions/tab-actions.ts';
import { type TabName, tabNames } from '../store/state/log-names.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { take } from '../widgets/key-name.ts';
import { StateMark, stateText } from './log-state.tsx';
import { placeOf, useLogMenu } from './use-log-menu.tsx';
import './tabs.css';

/** One tab per open log; the name of a single log is in the top row. */
export function Tabs(): ReactNode {
  const [quiet] = useState(quietLogs);
  const logs = useWindow(quiet);
  const active = useWindow((state) => state.active);
  const [drag, setDrag] = useState<TabDrag>();
  const names = tabNames(logs);

  function onPointerMove({ buttons, clientX, currentTarget, pointerId }: PointerEvent): void {
    if (drag === undefined) return;
    // The button was released outside of the list.
    if ((buttons & 1) === 0) return setDrag(undefined);
    if (drag.before === undefined && Math.abs(clientX - drag.from) < DRAG_FROM) return;
    currentTarget.setPointerCapture(pointerId);
    const tabs = Array.from(currentTarget.children, (tab) => tab.getBoundingClientRect());
    setDrag({ ...drag, before: placeAt(clientX, tabs) });
  }

  function onPointerUp(): void {
    if (drag?.before !== undefined) moveTab(drag.key, drag.before);
    setDrag(undefined);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'Escape' && drag?.before !== undefined) {
      setDrag(undefined);
      take(event);
      return;
    }
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const focused = tabs.findIndex((tab) => tab === event.target);
    const act = shiftKey || ctrlKey || metaKey || altKey ? undefined : tabKey(key);
    if (focused < 0 || act === undefined) return;
    take(event);
    act(logs[focused].key);
    // A closed tab takes the focus with it: the next key would be one of the window.
    tabs[logs.findIndex((log) => log.key === useWindow.getState().active)]?.focus();
  }

  if (logs.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Logs">
      <div
        className="tab-list"
        role="tablist"
        aria-label="Open logs"
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(undefined)}
        onWheel={({ currentTarget, deltaY }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {logs.map((log, at) => (
          <Tab
            key={log.key}
            {...{ log, at, drag }}
            onPress={({ button, clientX }) => {
              if (button === 0) setDrag({ key: log.key, from: clientX, before: undefined });
            }}
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
  readonly drag: TabDrag | undefined;
  readonly onPress: (event: PointerEvent) => void;
}

function Tab({ log, at, name: tabName, isActive, isLast, drag, onPress }: TabProps): ReactNode {
  const { name, apart, differs } = tabName;
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
  const before = drag?.before;
  const dropsHere = before === at ? 'before' : isLast && before === at + 1 ? 'after' : undefined;
  return (
    <div
      ref={tab}
      className={isActive ? 'tab tab-active' : 'tab'}
      data-testid="tab"
      data-drop={dropsHere}
      data-dragged={before !== undefined && drag?.key === log.key ? '' : undefined}
      role="presentation"
      onContextMenu={onContextMenu}
      onDoubleClick={() => openDialog({ kind: 'rename', log: log.key })}
      onAuxClick={(event) => {
        if (event.button === 1) closeLog(log.key);
      }}
      onPointerDown={onPress}
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

/** Tabs are moved by dragging them. A line shows the new place; Esc cancels. */
interface TabDrag {
  readonly key: LogKey;
  /** Where it was pressed, CSS pixels. */
  readonly from: number;
  /** It would be put in front of the tab that is there; undefined while it is only pressed. */
  readonly before: number | undefined;
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
