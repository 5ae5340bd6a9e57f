import { memo, type ReactNode, type Ref } from 'react';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { find, openDialog, search } from '../store/actions.ts';
import { toggleFreeze } from '../store/time-actions.ts';
import { hasSamples, isConnected, isFrozen, isPartial } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { FittingRow } from '../widgets/FittingRow.tsx';
import { Icon } from '../widgets/icons.tsx';
import { SearchField } from '../widgets/SearchField.tsx';
import { useMedia } from '../widgets/use-media.ts';
import { Choices } from './Choices.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { ErrorSwitch, LogStats } from './LogStats.tsx';
import { hasMetrics, MetricControl } from './MetricControl.tsx';
import { PaneSwitch } from './PaneSwitch.tsx';
import { RecentChip } from './RecentChip.tsx';
import { ScopeItems } from './ScopeItems.tsx';
import { SamplingButton } from './SamplingButton.tsx';
import { searchResult } from './search-result.ts';
import { StopButton } from './StopButton.tsx';
import { StatusArea } from './StatusArea.tsx';
import { StatusChip } from './StatusChip.tsx';
import { ThreadsButton } from './ThreadsButton.tsx';
import { ViewMenu } from './ViewMenu.tsx';
import { stateText } from './log-state.ts';
import './top-row.css';

const HAS_SPACE_FOR_METRIC = '(width >= 1100px)';
/** CSS pixels, as in top-row.css. */
const NUMBERS_GAP = 8;

interface TopRowProps {
  readonly log: LogView | undefined;
  readonly controlKey: string;
  readonly onOpen: () => void;
  readonly searchRef: Ref<HTMLInputElement>;
}

/**
 * The window's only bar. Left: the log, its state and counts, and what of it the panes look at. Right: search, view
 * options and commands, all at fixed places; what does not apply is disabled.
 */
export const TopRow = memo(function TopRow({ log, controlKey, onOpen, searchRef }: TopRowProps): ReactNode {
  // The start page has the list itself.
  const canAttach = useWindow((state) => log !== undefined && state.capabilities.jvms === 'allowed');
  const hasSpace = useMedia(HAS_SPACE_FOR_METRIC);
  const isSmall = useWindow((state) => state.isSmall);
  const connected = useWindow((state) => log === undefined || isConnected(state, log));
  const progress = log === undefined ? undefined : stateText(log, connected).progress;
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
      {canAttach && (
        <button
          type="button"
          className="button button-bare"
          data-testid="attach-button"
          aria-label="Attach to a JVM"
          data-tip="Attach to a JVM… (Alt A)"
          onClick={() => openDialog({ kind: 'attach' })}
        >
          <Icon name="plug" />
        </button>
      )}
      {log !== undefined && <StatusChip log={log} />}
      <div className="top-middle">
        <FittingRow className="top-numbers" gap={NUMBERS_GAP}>
          {log !== undefined && (
            <>
              {isSmall && hasSamples(log) && (
                <div data-rank="0">
                  <PaneSwitch />
                </div>
              )}
              <LogStats key={log.key} log={log} />
              <ErrorSwitch log={log} />
              <Choices key={`choices ${log.key}`} log={log} />
              <StopButton log={log} />
              <SamplingButton log={log} />
              <RecentChip log={log} />
              <NoteChip log={log} />
              <ScopeItems key={`scope ${log.key}`} log={log} controlKey={controlKey} />
              {log.computing ? (
                <span className="top-hint" role="status" data-rank="13" data-testid="computing">
                  computing…
                </span>
              ) : (
                isPartial(log) && (
                  <span className="top-hint" data-rank="13" data-testid="so-far">
                    so far
                  </span>
                )
              )}
            </>
          )}
          <StatusArea />
        </FittingRow>
      </div>
      {log !== undefined && (
        <>
          <Search log={log} searchRef={searchRef} />
          {hasSpace && hasMetrics(log) && <MetricControl log={log} />}
        </>
      )}
      <ViewMenu log={log} isNarrow={!hasSpace} />
      {log !== undefined && (
        <>
          <ThreadsButton key={`threads ${log.key}`} log={log} />
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
        onClick={() => openDialog({ kind: 'help' })}
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
});

/** Marks that the counts need an explanation, which is in the details panel. */
function NoteChip({ log }: { readonly log: LogView }): ReactNode {
  const notes = log.status?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <button
      type="button"
      className="chip"
      data-rank="12"
      data-testid="note"
      data-tip={notes[0]}
      onClick={() => openDialog({ kind: 'details' })}
    >
      <Icon name="info" />
      {formatQuantity(notes.length, 'note')}
    </button>
  );
}

function FreezeButton({ log }: { readonly log: LogView }): ReactNode {
  const isFollowed = log.hostLog !== undefined && log.status?.state !== 'failed';
  const frozen = isFrozen(log);
  return (
    <button
      type="button"
      className={frozen ? 'button button-on' : 'button'}
      data-testid="freeze"
      aria-label="Freeze"
      aria-pressed={frozen}
      disabled={!isFollowed}
      data-tip={
        !isFollowed
          ? 'This file is not followed'
          : frozen
            ? 'Resume: show new samples (Alt Z)'
            : 'Freeze the view; reading goes on (Alt Z)'
      }
      onClick={toggleFreeze}
    >
      <Icon name="freeze" />
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
  const isSmall = useWindow((state) => state.isSmall);
  return (
    <SearchField
      key={log.key}
      label="Search methods"
      placeholder={isSmall ? 'Search' : 'Search methods'}
      disabled={!hasSamples(log)}
      value={log.searchText}
      onSearch={search}
      onFind={find}
      onLeave={enterCurrentPane}
      result={searchResult(log)}
      problem={log.search?.text === log.searchText ? log.search.problem : undefined}
      inputRef={searchRef}
    />
  );
}
