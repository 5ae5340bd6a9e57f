import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { activate, activateNeighbour, closeLog } from '../store/actions.ts';
import { isConnected } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { pathOf, useLogMenu } from './use-log-menu.tsx';
import { stateText } from './log-state.ts';
import { StateMark } from './StateMark.tsx';
import './tabs.css';

/** One tab per open log; the name of a single log is in the top row. */
export function Tabs(): ReactNode {
  const logs = useWindow((state) => state.logs);
  const active = useWindow((state) => state.active);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
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
        className="tab-list"
        role="tablist"
        aria-label="Open logs"
        onKeyDown={onKeyDown}
        onWheel={({ currentTarget, deltaY }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {logs.map((log) => (
          <Tab key={log.key} log={log} isActive={log.key === active} />
        ))}
      </div>
    </nav>
  );
}

function Tab({ log, isActive }: { readonly log: LogView; readonly isActive: boolean }): ReactNode {
  const { tone, text } = stateText(
    log,
    useWindow((state) => isConnected(state, log)),
  );
  const tab = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  const { menu, onContextMenu } = useLogMenu(log);
  return (
    <div
      ref={tab}
      className={isActive ? 'tab tab-active' : 'tab'}
      data-testid="tab"
      role="presentation"
      onContextMenu={onContextMenu}
      onAuxClick={(event) => {
        if (event.button === 1) closeLog(log.key);
      }}
    >
      <button
        type="button"
        role="tab"
        aria-selected={isActive}
        aria-controls={isActive ? 'log-view' : undefined}
        tabIndex={isActive ? 0 : -1}
        className="tab-name"
        data-tip={log.hostLog === undefined ? `${log.name}, ${log.folder}` : pathOf(log)}
        onClick={() => activate(log.key)}
      >
        <StateMark tone={tone} title={text} />
        <ElidedText className="tab-text" text={log.name} />
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
      >
        <Icon name="close" />
      </button>
      {menu}
    </div>
  );
}
