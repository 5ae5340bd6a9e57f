import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { activate, activateNeighbour, closeLog, openRename } from '../store/tab-actions.ts';
import { type TabName, tabNames } from '../store/tab-names.ts';
import { isConnected } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { placeOf, useLogMenu } from './use-log-menu.tsx';
import { stateText } from './log-state.ts';
import { StateMark } from './StateMark.tsx';
import { type TabDrag, useTabDrag } from './use-tab-drag.ts';
import './tabs.css';

/** One tab per open log; the name of a single log is in the top row. */
export function Tabs(): ReactNode {
  const logs = useWindow((state) => state.logs);
  const active = useWindow((state) => state.active);
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(list);
  const names = tabNames(logs);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete' && active !== undefined) closeLog(active);
    else if (event.key === 'ArrowRight') activateNeighbour(1);
    else if (event.key === 'ArrowLeft') activateNeighbour(-1);
    else return;
    event.preventDefault();
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
            log={log}
            at={at}
            name={names[at]}
            isActive={log.key === active}
            drag={drag}
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

function Tab({ log, at, name: { name, apart }, isActive, isLast, drag }: TabProps): ReactNode {
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const tab = useRef<HTMLDivElement>(null);
  // Also when the active tab is moved.
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive, at]);
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
      onDoubleClick={() => openRename(log.key)}
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
        className="tab-name"
        data-tip={placeOf(log)}
        onClick={() => activate(log.key)}
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
