import { openDialog } from '../store/actions.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { activate, closeLog } from '../store/tab-actions.ts';
import { chooseTabsTo, chosenLogs, toggleTab } from '../store/tab-choice.ts';
import { type TabName, tabNames } from '../store/tab-names.ts';
import { quietLogs } from '../store/quiet-log.ts';
import { isConnected } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { actOnTab } from './act-on-tab.ts';
import { ChosenTabs } from './ChosenTabs.tsx';
import { placeOf, useLogMenu } from './use-log-menu.tsx';
import { stateText } from './log-state.ts';
import { StateMark } from './StateMark.tsx';
import { tabKey } from './tab-keys.ts';
import { type TabDrag, useTabDrag } from './use-tab-drag.ts';
import './tabs.css';

/** One tab per open log; the name of a single log is in the top row. */
export function Tabs(): ReactNode {
  const [quiet] = useState(quietLogs);
  const logs = useWindow(quiet);
  const active = useWindow((state) => state.active);
  const chosenTabs = useWindow((state) => state.chosenTabs);
  const chosen = chosenLogs({ logs, active, chosenTabs });
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(list);
  const names = tabNames(logs);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const focused = tabs.findIndex((tab) => tab === event.target);
    const pressed = altKey ? undefined : tabKey({ key, shiftKey, control: ctrlKey || metaKey });
    // Esc has another meaning in the window.
    if (focused < 0 || pressed === undefined || (pressed.type === 'chooseNone' && chosen.length === 0))
      return;
    event.preventDefault();
    event.stopPropagation();
    const next = actOnTab(pressed, logs[focused].key);
    tabs[logs.findIndex(({ key: each }) => each === next)]?.focus();
  }

  if (logs.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Logs">
      <div
        ref={list}
        className="tab-list"
        role="tablist"
        aria-label="Open logs"
        aria-multiselectable="true"
        onKeyDown={onKeyDown}
        // The space key presses a button when it is released.
        onKeyUp={(event) => {
          if (event.key === ' ' && (event.ctrlKey || event.metaKey)) event.preventDefault();
        }}
        onWheel={({ currentTarget, deltaY }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {logs.map((log, at) => (
          <Tab
            key={log.key}
            log={log}
            at={at}
            name={names[at]}
            isActive={log.key === active}
            isChosen={chosen.includes(log)}
            drag={drag}
            isLast={at === logs.length - 1}
          />
        ))}
      </div>
      <ChosenTabs chosen={chosen} active={active} />
    </nav>
  );
}

interface TabProps {
  readonly log: LogView;
  readonly at: number;
  readonly name: TabName;
  readonly isActive: boolean;
  /** One of several that commands are meant for. */
  readonly isChosen: boolean;
  readonly isLast: boolean;
  readonly drag: TabDrag;
}

function Tab({ log, at, name: { name, apart }, isActive, isChosen, isLast, drag }: TabProps): ReactNode {
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const tab = useRef<HTMLDivElement>(null);
  // Also when the active tab is moved.
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
      data-chosen={isChosen ? '' : undefined}
      data-dragged={drag.key === log.key ? '' : undefined}
      role="presentation"
      onContextMenu={onContextMenu}
      onDoubleClick={({ ctrlKey, metaKey, shiftKey }) => {
        if (!ctrlKey && !metaKey && !shiftKey) openDialog({ kind: 'rename', log: log.key });
      }}
      onAuxClick={(event) => {
        if (event.button === 1) closeLog(log.key);
      }}
      onPointerDown={(event) => drag.press(log.key, event)}
    >
      <button
        type="button"
        role="tab"
        aria-selected={isActive || isChosen}
        aria-controls={isActive ? 'log-view' : undefined}
        tabIndex={isActive ? 0 : -1}
        className="tab-name"
        data-tip={placeOf(log)}
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          if (ctrlKey || metaKey) toggleTab(log.key);
          else if (shiftKey) chooseTabsTo(log.key);
          else activate(log.key);
        }}
      >
        <StateMark tone={tone} title={text} />
        <ElidedText className="tab-text" text={name} />
        {apart !== '' && (
          <>
            <span className="unseen">, </span>
            <span className="tab-apart">{apart}</span>
          </>
        )}
        <span className="unseen">, {text}</span>
      </button>
      <button
        type="button"
        className="log-close"
        tabIndex={-1}
        // A tab list may contain only tabs, so the button is hidden from it; Delete closes a tab by keyboard.
        aria-hidden="true"
        title="Close"
        onClick={() => closeLog(log.key)}
        onDoubleClick={(event) => event.stopPropagation()}
        onPointerDown={(event) => event.stopPropagation()}
      >
        <Icon name="close" />
      </button>
      {menu}
    </div>
  );
}
