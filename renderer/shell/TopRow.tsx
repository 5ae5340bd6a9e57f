import { memo, type ReactNode } from 'react';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { enterCurrentPane, enterPaneWhenShown } from '../panes/enter-pane.ts';
import { find, openDialog, search, showOnly } from '../store/actions.ts';
import { toggleFreeze } from '../store/time-actions.ts';
import {
  currentPane,
  hasSamples,
  hasSampleTimes,
  isConnected,
  isFollowed,
  isFrozen,
  isPartial,
  shownPanes,
  shownSummary,
  unitsOf,
} from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { FittingRow } from '../widgets/FittingRow.tsx';
import { Icon, type IconName } from '../widgets/icons.tsx';
import { SearchField } from '../widgets/SearchField.tsx';
import { useMedia } from '../widgets/use-media.ts';
import { Choices } from './Choices.tsx';
import { entryOf, exportId, runnerOf, tipOf } from './commands.ts';
import { ErrorSwitch, LogStats } from './LogStats.tsx';
import { MetricControl, ViewMenu } from './ViewOptions.tsx';
import { RecentChip } from './RecentPanel.tsx';
import { ScopeItems } from './ScopeItems.tsx';
import { SamplingButton } from './SamplingButton.tsx';
import { StatusArea } from './StatusArea.tsx';
import { StatusChip } from './StatusChip.tsx';
import { ThreadsButton } from './ThreadsPanel.tsx';
import { stateText } from './log-state.ts';
import { placeChoices } from './view-options.ts';
import './top-row.css';
import type { Place } from '../store/pane-list.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { stopRecording } from '../store/jvm-actions.ts';
import { COMPARE_MENU } from '../../shared/export/compare-list.ts';
import { EXPORT_MENU, exportFormat } from '../../shared/export/export-formats.ts';
import { MenuButton, type MenuEntry } from '../widgets/Menu.tsx';
import { Button } from '../widgets/Button.tsx';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';

const HAS_SPACE_FOR_METRIC = '(width >= 1100px)';
/** CSS pixels, as in top-row.css. */
const NUMBERS_GAP = 8;

/**
 * The window's only bar. Left: the log, its state and counts, and what of it the panes look at. Right: search, view
 * options and commands, all at fixed places; what does not apply is disabled.
 */
export const TopRow = memo(function TopRow({ log }: { readonly log: LogView | undefined }): ReactNode {
  // The start page has the list itself.
  const canAttach = useWindow((state) => log !== undefined && state.capabilities.jvms === 'allowed');
  const hasSpace = useMedia(HAS_SPACE_FOR_METRIC);
  const isSmall = useWindow((state) => state.isSmall);
  const connected = useWindow((state) => log === undefined || isConnected(state, log));
  const progress = log === undefined ? undefined : stateText(log, connected).progress;
  return (
    <header className="top-row">
      <CommandButton id="open" icon="plus" label="Open file" />
      {canAttach && <CommandButton id="attach" icon="plug" label="Attach to a JVM" testId="attach-button" />}
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
              <ScopeItems key={`scope ${log.key}`} log={log} />
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
          <Search log={log} />
          {hasSpace && <MetricControl log={log} />}
        </>
      )}
      <ViewMenu log={log} isNarrow={!hasSpace} />
      {log !== undefined && (
        <>
          <ThreadsButton key={`threads ${log.key}`} log={log} />
          <FreezeButton log={log} />
          <ExportMenu log={log} />
        </>
      )}
      <CommandButton id="palette" icon="commands" label="Commands and shortcuts" testId="commands" />
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

/** The button of a command: its tooltip says the key. */
function CommandButton({
  id,
  icon,
  label,
  testId = id,
}: {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly testId?: string;
}): ReactNode {
  return <Button icon={icon} testId={testId} label={label} tip={tipOf(id, label)} onClick={runnerOf(id)} />;
}

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
  const mayFreeze = isFollowed(log) && log.status?.state !== 'failed';
  const frozen = isFrozen(log);
  return (
    <button
      type="button"
      className={frozen ? 'button button-on' : 'button'}
      data-testid="freeze"
      aria-label="Freeze"
      aria-pressed={frozen}
      disabled={!mayFreeze}
      data-tip={
        !mayFreeze
          ? 'This file is not followed'
          : frozen
            ? tipOf('freeze', 'Resume: show new samples')
            : tipOf('freeze', 'Freeze the view; reading goes on')
      }
      onClick={toggleFreeze}
    >
      <Icon name="freeze" />
      <span className="button-text">Freeze</span>
    </button>
  );
}

function Search({ log }: { readonly log: LogView }): ReactNode {
  const isSmall = useWindow((state) => state.isSmall);
  return (
    <SearchField
      key={log.key}
      label="Search methods"
      placeholder={isSmall ? 'Search' : 'Search methods'}
      // While copies are filled again, what is being typed keeps the focus.
      disabled={!hasSamples(log) && log.searchText === ''}
      value={log.searchText}
      onSearch={search}
      onFind={find}
      onLeave={enterCurrentPane}
      result={searchResult(log)}
      problem={log.search?.text === log.searchText ? log.search.problem : undefined}
    />
  );
}

/** Which pane a small window shows. */
function PaneSwitch(): ReactNode {
  const place = useWindow(shownPanes);
  return (
    <SegmentedControl<Place>
      label="Pane"
      // Callers and callees are of a method, which leads to them.
      choices={placeChoices().filter(
        ({ value }) => value !== (place === 'sandwich' ? 'summary' : 'sandwich'),
      )}
      value={place === 'all' ? 'flame' : place}
      onChange={(chosen) => {
        showOnly(chosen);
        enterPaneWhenShown(currentPane(useWindow.getState()));
      }}
      testId="pane-switch"
    />
  );
}

/** Ends a recording that Leanscope has started, and keeps it open. Nothing for any other log. */
function StopButton({ log: { hostLog } }: { readonly log: LogView }): ReactNode {
  const state = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.recordings[hostLog]));
  if (hostLog === undefined || state !== 'running') return null;
  return (
    <Button
      className="button-small"
      data-rank="0"
      testId="stop"
      tip="End the recording in the JVM and keep it open"
      onClick={() => stopRecording(hostLog)}
    >
      Stop
    </Button>
  );
}

/** Menu of the export formats. */
function ExportMenu({ log }: { readonly log: LogView }): ReactNode {
  return (
    <MenuButton
      label="Export"
      icon="export"
      text="Export"
      testId="export-menu"
      disabled={!hasSamples(log)}
      entries={[
        ...(log.baseline === undefined
          ? []
          : [COMPARE_MENU.flat().map((format) => `export-compared-${format}`)]),
        ...(log.isRecording ? [['save-recording']] : []),
        ...EXPORT_MENU.map((group) =>
          group
            .filter((format) => hasSampleTimes(log) || exportFormat(format).usesTimes !== true)
            .map((format) => exportId(format)),
        ),
      ].flatMap((ids, at): MenuEntry[] => [...(at === 0 ? [] : ['separator' as const]), ...ids.map(entryOf)])}
    />
  );
}

/** The result in the search field: the selected match, or the share that was found and its interval. */
export function searchResult(log: LogView): { readonly text: string; readonly hint?: string } {
  const { search: result, summary, searchText } = log;
  if (result?.text !== searchText || result.problem !== undefined) return { text: '' };
  if (result.names === 0) return { text: 'no match' };
  if (log.match !== undefined) {
    return { text: `${formatCount(log.match.position)} of ${formatCount(log.match.total)}` };
  }
  const names = formatQuantity(result.names, 'name');
  if (summary === undefined) return { text: names };
  const { samples } = shownSummary(summary);
  const units = unitsOf(log);
  const share = formatShare(result.samples, samples, 1);
  const certainty = shareCertainty(result.samples, samples, units);
  const found = `${names}, in ${share} of ${units.counted.many}`;
  return {
    text: `${names} · ${share}`,
    hint: certainty === undefined ? found : `${found}: ${certainty.text}`,
  };
}
