import type { ReactNode, Ref } from 'react';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { enterPane } from '../panes/enter-pane.ts';
import { find, openDetails, openHelp, search, toggleFreeze } from '../store/actions.ts';
import { currentPane, shownSummary, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { SearchField } from '../widgets/SearchField.tsx';
import { useMedia } from '../widgets/use-media.ts';
import { Choices } from './Choices.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { ErrorSwitch, LogStats } from './LogStats.tsx';
import { MetricControl } from './MetricControl.tsx';
import { PaneSwitch } from './PaneSwitch.tsx';
import { StatusArea } from './StatusArea.tsx';
import { StatusChip } from './StatusChip.tsx';
import { ViewOptions } from './ViewOptions.tsx';
import { stateText } from './log-state.ts';
import './top-row.css';

/** As in top-row.css. */
const HAS_ROOM_FOR_METRIC = '(width >= 1100px)';

interface TopRowProps {
  readonly log: LogView | undefined;
  readonly controlKey: string;
  readonly onOpen: () => void;
  readonly searchRef: Ref<HTMLInputElement>;
}

/**
 * The window's only bar. Left: the log, its state and counts. Right: search, view options and commands, all at fixed
 * places; what does not apply is disabled.
 */
export function TopRow({ log, controlKey, onOpen, searchRef }: TopRowProps): ReactNode {
  const hasRoom = useMedia(HAS_ROOM_FOR_METRIC);
  const isSmall = useWindow((state) => state.isSmall);
  const progress = log === undefined ? undefined : stateText(log).progress;
  return (
    <header className="top-row">
      <button
        type="button"
        className="button button-bare"
        data-testid="open"
        aria-label="Open file"
        data-tip={`Open file… (${controlKey}O)`}
        onClick={onOpen}
      >
        <Icon name="plus" />
      </button>
      {log !== undefined && <StatusChip log={log} />}
      <div className="top-middle">
        {log !== undefined && (
          <div className="top-numbers">
            {isSmall && <PaneSwitch />}
            <LogStats key={log.key} log={log} />
            {!isSmall && <ErrorSwitch log={log} />}
            <Choices key={`choices ${log.key}`} log={log} />
            <NoteChip log={log} />
            {log.computing && (
              <span className="computing" role="status" data-testid="computing">
                computing…
              </span>
            )}
          </div>
        )}
        <StatusArea />
      </div>
      {log !== undefined && (
        <>
          <Search log={log} searchRef={searchRef} />
          {hasRoom && <MetricControl log={log} />}
        </>
      )}
      <ViewOptions log={log} isNarrow={!hasRoom} />
      {log !== undefined && (
        <>
          <FreezeButton log={log} />
          <ExportMenu log={log} controlKey={controlKey} />
        </>
      )}
      <button
        type="button"
        className="button button-bare"
        data-testid="help"
        aria-label="Keyboard shortcuts"
        data-tip="Keyboard shortcuts (?)"
        onClick={() => openHelp(true)}
      >
        <Icon name="help" />
      </button>
      {progress !== undefined && (
        <div
          className="progress"
          role="progressbar"
          aria-label="Reading the file"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(progress * 100)}
        >
          <div style={{ transform: `scaleX(${progress})` }} />
        </div>
      )}
    </header>
  );
}

/** Marks that the counts need an explanation, which is in the details panel. */
function NoteChip({ log }: { readonly log: LogView }): ReactNode {
  const notes = log.status?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <button
      type="button"
      className="chip note-chip"
      data-testid="note"
      data-tip={notes[0]}
      onClick={() => openDetails(true)}
    >
      <Icon name="info" />
      {formatQuantity(notes.length, 'note')}
    </button>
  );
}

function FreezeButton({ log }: { readonly log: LogView }): ReactNode {
  const isFollowed = log.hostLog !== undefined;
  return (
    <button
      type="button"
      className={log.frozen ? 'button button-on' : 'button'}
      data-testid="freeze"
      aria-label="Freeze"
      aria-pressed={log.frozen}
      disabled={!isFollowed}
      data-tip={
        !isFollowed
          ? 'A file that was opened in this page is not followed'
          : log.frozen
            ? 'Show new samples again (F)'
            : 'Stop the view while reading goes on (F)'
      }
      onClick={toggleFreeze}
    >
      <Icon name={log.frozen ? 'resume' : 'freeze'} />
      <span className="button-text">Freeze</span>
    </button>
  );
}

function Search({
  log,
  searchRef,
}: {
  readonly log: LogView;
  readonly searchRef: Ref<HTMLInputElement>;
}): ReactNode {
  const pane = useWindow(currentPane);
  return (
    <SearchField
      key={log.key}
      label="Search methods"
      placeholder="Search methods"
      value={log.searchText}
      onSearch={search}
      onFind={find}
      onLeave={() => enterPane(pane)}
      result={searchResult(log)}
      problem={log.search?.text === log.searchText ? log.search.problem : undefined}
      inputRef={searchRef}
    />
  );
}

function searchResult(log: LogView): string {
  const { search: result, summary, searchText } = log;
  if (result?.text !== searchText || result.problem !== undefined) return '';
  if (result.names === 0) return 'no match';
  if (log.match !== undefined) {
    return `${formatCount(log.match.position)} of ${formatCount(log.match.total)}`;
  }
  if (summary === undefined || summary.samples === 0) return formatCount(result.names);
  const names = formatQuantity(result.names, 'name');
  return `${names} · ${formatShare(result.samples, shownSummary(summary).samples, 1)} of ${unitsOf(log).counted.many}`;
}
