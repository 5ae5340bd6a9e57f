import { type ReactNode, useEffect, useState } from 'react';
import type { Host } from '../connection/connect.ts';
import { elideMiddle } from '../../shared/text/format-frame.ts';
import { printable } from '../../shared/text/printable.ts';
import { changeActive } from '../store/actions/actions.ts';
import { openHere } from '../store/actions/log-actions.ts';
import { decideLink, typedExpressions } from '../store/links/linked-scopes.ts';
import { shownName } from '../store/state/log-names.ts';
import { quietActiveLog } from '../store/state/quiet-log.ts';
import { isConnected, isDark, isKnownEmpty, isPartial, showsTimeline } from '../store/state/selectors.ts';
import type { LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Icon } from '../widgets/icons.tsx';
import { TooltipLayer } from '../widgets/Tooltip.tsx';
import { useMedia } from '../widgets/use-media.ts';
import { TimelinePane } from '../panes/timeline/TimelinePane.tsx';
import { commandOf, commandWithId, runCommand } from './commands.ts';
import { Dialogs } from './Dialogs.tsx';
import { restartText, stateText } from './log-state.tsx';
import { FreshLog, Panes } from './Panes.tsx';
import { ScopeRow } from './ScopeRow.tsx';
import { StartPage } from './StartPage.tsx';
import { StatusArea } from './StatusArea.tsx';
import { Tabs } from './Tabs.tsx';
import { TopRow } from './TopRow.tsx';
import { useFileDrop } from './use-file-drop.ts';
import './shell.css';

/** An item that is opened below the fold is scrolled to: its end, or its beginning where it is higher than its place. */
function revealOpened({ target }: Event): void {
  if (target instanceof HTMLDetailsElement && target.open) target.scrollIntoView({ block: 'nearest' });
}

/** The window. */
export function App({
  host,
}: {
  readonly host: Pick<Host, 'isMac' | 'onCommand' | 'setTheme' | 'setShown' | 'about'>;
}): ReactNode {
  const { isMac } = host;
  const [quietLog] = useState(quietActiveLog);
  const log = useWindow(quietLog);
  const isEmpty = useWindow(isKnownEmpty);
  const hasTimeline = useWindow((state) => log !== undefined && showsTimeline(state, log));
  const dropping = useWindow((state) => state.dropping);
  useFileDrop();
  useTheme(host);
  useShown(host, log);
  useSystem();

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    function onKeyDown(event: KeyboardEvent): void {
      const command = event.defaultPrevented ? undefined : commandOf(event, isMac, isTextField(event.target));
      if (command === undefined) return;
      const isBeneath = isBeneathDialog();
      // The desktop's menu has the same keys, and acts on what the page leaves to it.
      if (!isBeneath || event.altKey || event.ctrlKey || event.metaKey) event.preventDefault();
      if (event.altKey) event.stopPropagation();
      if (!isBeneath) runCommand(command);
    }
    window.addEventListener('keydown', onKeyDown, { signal });
    // Before all other handlers, and also while a dialog is open: the browser would take the key and leave the page.
    function onKeyWithAlt(event: KeyboardEvent): void {
      if (event.altKey) onKeyDown(event);
    }
    window.addEventListener('keydown', onKeyWithAlt, { capture: true, signal });
    // It does not bubble.
    window.addEventListener('toggle', revealOpened, { capture: true, signal });
    return () => listening.abort();
  }, [isMac]);

  useEffect(() => {
    host.onCommand((id) => {
      if ((id === 'undo' || id === 'redo') && isTextField(document.activeElement)) {
        // As the keys do there. Nothing else undoes what was typed.
        // oxlint-disable-next-line typescript/no-deprecated
        document.execCommand(id);
        return;
      }
      const command = commandWithId(id);
      if (command !== undefined && !isBeneathDialog()) runCommand(command);
    });
  }, [host]);

  const name = log && shownName(log);
  useEffect(() => {
    document.title = name === undefined ? 'Leanscope' : `${name} – Leanscope`;
  }, [name]);

  return (
    <div className="app">
      <Tabs />
      <TopRow log={log} />
      {log !== undefined && <ScopeRow key={log.key} log={log} />}
      <ConnectionBanner />
      <AboutBanner lines={host.about ?? []} />
      {log === undefined ? (
        isEmpty && <StartPage />
      ) : (
        <main className="log-view" id="log-view" aria-label={shownName(log)}>
          <h1 className="unseen">{shownName(log)}</h1>
          {hasTimeline && (
            <div className="timeline-place">
              <FreshLog of={log}>{(fresh) => <TimelinePane log={fresh} />}</FreshLog>
            </div>
          )}
          <LinkBanner log={log} />
          <RestartBanner log={log} />
          <DetailBanner log={log} />
          <div
            className="panes"
            data-partial={isPartial(log) ? '' : undefined}
            data-stale={log.computing ? '' : undefined}
            aria-busy={isPartial(log) || log.computing}
          >
            <Panes log={log} />
          </div>
        </main>
      )}
      <input
        id="file-input"
        type="file"
        multiple
        hidden
        data-testid="file-input"
        onChange={(event) => {
          openHere([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Dialogs />
      {dropping && (
        <div className="drop-overlay" aria-hidden="true">
          Drop to open
        </div>
      )}
      <StatusArea />
      <TooltipLayer />
    </div>
  );
}

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** While a dialog is open, neither keys nor the menu change what is beneath it. */
const isBeneathDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** Tells the store of the size of the window, of which a small one shows one pane at a time, and of the system's theme. */
function useSystem(): void {
  const isSmall = useMedia('(width < 800px) or (height < 480px)');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => useWindow.setState({ isSmall, systemIsDark }), [isSmall, systemIsDark]);
}

/** Tells what is around the page which log is shown, and how much of it is read. */
function useShown(host: Pick<Host, 'setShown'>, log: LogView | undefined): void {
  const connected = useWindow((state) => log !== undefined && isConnected(state, log));
  const progress = log === undefined ? undefined : stateText(log, connected).progress;
  // In percent: each change is a message to another process.
  const percent = progress === undefined ? undefined : Math.floor(progress * 100);
  const shown = log?.hostLog;
  useEffect(() => {
    host.setShown({ log: shown, progress: percent === undefined ? undefined : percent / 100 });
  }, [host, shown, percent]);
}

/** Sets the theme in use where CSS and the host need it. */
function useTheme(host: Pick<Host, 'setTheme'>): void {
  const theme = useWindow((state) => state.preferences.theme);
  const dark = useWindow(isDark);

  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [theme, dark]);

  useEffect(() => {
    host.setTheme(theme);
  }, [host, theme]);
}

interface BannerProps {
  readonly testId: string;
  /** Only a problem is an alert. */
  readonly role: 'alert' | 'note' | 'status';
  readonly isWarning?: boolean;
  readonly text: string;
  readonly onDismiss?: () => void;
  /** Elements behind the text. */
  readonly children?: ReactNode;
}

/** A line above the panes. */
function Banner({ testId, role, isWarning, text, onDismiss, children }: BannerProps): ReactNode {
  return (
    <div className="banner line" role={role} data-testid={testId}>
      <Icon name={isWarning ? 'warning' : 'info'} />
      <span>{text}</span>
      {children}
      {onDismiss !== undefined && <Button icon="close" label="Dismiss" onClick={onDismiss} />}
    </div>
  );
}

/** Shown while the window is disconnected from the host. */
function ConnectionBanner(): ReactNode {
  const connection = useWindow((state) => state.connection);
  if (connection.state === 'open' || connection.state === 'connecting') return null;
  return (
    <Banner
      testId="connection-banner"
      role="alert"
      isWarning
      text={
        connection.state === 'closed'
          ? `Disconnected: ${connection.reason}`
          : `Connection lost, trying again. What was read stays on screen. Reason: ${connection.reason}`
      }
    />
  );
}

/** The description of a page to send, and the note of its maker. */
function AboutBanner({ lines }: { readonly lines: readonly string[] }): ReactNode {
  const [isShown, show] = useState(true);
  if (!isShown || lines.length === 0) return null;
  return (
    <Banner
      testId="about-banner"
      role="note"
      text={lines.map(printable).join('\n')}
      onDismiss={() => show(false)}
    />
  );
}

/** Shown after the file was truncated or replaced: which run is on screen. Samples of two runs are never merged. */
function RestartBanner({ log }: { readonly log: LogView }): ReactNode {
  const text = restartText(log);
  if (text === undefined || log.dismissedRestart === log.status?.epoch) return null;
  return (
    <Banner
      testId="restart-banner"
      role="status"
      text={text}
      onDismiss={() => changeActive((each) => ({ ...each, dismissedRestart: each.status?.epoch }))}
    />
  );
}

/** Characters of the regular expressions of a link that are shown. */
const MOST_SHOWN = 180;

/** Offers to apply the regular expressions of a link, which may be somebody else's: one may take for ever. */
function LinkBanner({ log }: { readonly log: LogView }): ReactNode {
  const { unapplied } = log;
  if (unapplied === undefined) return null;
  const shown = elideMiddle(printable(typedExpressions(unapplied).join(', ')), MOST_SHOWN);
  return (
    <Banner
      testId="link-banner"
      role="status"
      text={`This link has regular expressions, which are not applied: ${shown}`}
      onDismiss={() => decideLink(false)}
    >
      <Button className="button-small" onClick={() => decideLink(true)}>
        Apply
      </Button>
    </Banner>
  );
}

/** The explanation of the log's state, where rows are on screen beside it. */
function DetailBanner({ log }: { readonly log: LogView }): ReactNode {
  const { state, detail } = log.status ?? {};
  // When nothing was read, the empty pane explains why.
  const hasRows = (log.summary?.samples ?? 0) > 0;
  const isWarning = state === 'full' || (state === 'failed' && hasRows);
  if (detail === undefined || !(isWarning || state === 'reading' || (state === 'ended' && hasRows)))
    return null;
  return <Banner testId="detail-banner" role="status" isWarning={isWarning} text={detail} />;
}
