import { memo, type ReactNode } from 'react';
import { formatCount, formatQuantity, formatShare } from '../../shared/text/format-value.ts';
import { enterCurrentPane } from '../panes/enter-pane.ts';
import { foundOnly } from '../../shared/engine/views/row-conditions.ts';
import { find, search, toggleOnlyMatches } from '../store/actions.ts';
import { toggleFreeze } from '../store/time-actions.ts';
import { hasSamples, isConnected, isFollowed, isFrozen, shownSummary, unitsOf } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon, type IconName } from '../widgets/icons.tsx';
import { SearchField } from '../widgets/SearchField.tsx';
import { Choices } from './Choices.tsx';
import { commandWithId, entryOf, exportId, runnerOf, tipOf } from './commands.ts';
import { Kinds } from './Kinds.tsx';
import { ViewMenu } from './ViewOptions.tsx';
import { SamplingButton } from './SamplingButton.tsx';
import { StatusChip } from './StatusChip.tsx';
import { stateText } from './log-state.ts';
import './top-row.css';
import { saveRecording, stopRecording } from '../store/jvm-actions.ts';
import { COMPARE_MENU } from '../../shared/export/compare-list.ts';
import { EXPORT_MENU } from '../../shared/export/export-formats.ts';
import { atMostEight, MenuButton, type MenuEntry } from '../widgets/Menu.tsx';
import { Button } from '../widgets/Button.tsx';
import { shareCertainty } from '../../shared/engine/columns/precision.ts';

/**
 * The window's first row. Left: the log, its state and the kinds of its samples. Right: the find field, view options and
 * commands, all at fixed places; what does not apply is disabled.
 */
export const TopRow = memo(function TopRow({ log }: { readonly log: LogView | undefined }): ReactNode {
  // The start page has the list itself.
  const canAttach = useWindow((state) => log !== undefined && state.capabilities.jvms === 'allowed');
  const connected = useWindow((state) => log === undefined || isConnected(state, log));
  const progress = log === undefined ? undefined : stateText(log, connected).progress;
  return (
    <header className="top-row">
      <CommandButton id="open" icon="plus" label="Open file" />
      {log !== undefined && (
        <>
          <StatusChip log={log} />
          <Kinds key={`kinds ${log.key}`} log={log} />
          <Choices key={`choices ${log.key}`} log={log} />
        </>
      )}
      <div className="top-space" />
      {log !== undefined && <Find log={log} />}
      {log !== undefined && (
        <>
          <StopButton log={log} />
          <SamplingButton log={log} />
          {canAttach && (
            <CommandButton id="attach" icon="plug" label="Record…" testId="attach-button" isText />
          )}
          <FreezeButton log={log} />
          <CommandButton id="compare" icon="swap" label="Compare…" testId="compare-button" isText />
          <ExportMenu log={log} />
        </>
      )}
      <ViewMenu log={log} />
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

interface CommandButtonProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly testId?: string;
  /** It says its label, where there is space. */
  readonly isText?: boolean;
}

/** The button of a command: its tooltip says the key. */
function CommandButton({ id, icon, label, testId = id, isText = false }: CommandButtonProps): ReactNode {
  const tip = isText ? tipOf(id) : tipOf(id, label);
  return (
    <Button icon={icon} testId={testId} label={label} tip={tip} onClick={runnerOf(id)}>
      {isText ? <span className="button-text">{label}</span> : undefined}
    </Button>
  );
}

function FreezeButton({ log }: { readonly log: LogView }): ReactNode {
  const mayFreeze = isFollowed(log) && log.status?.state !== 'failed';
  const frozen = isFrozen(log);
  return (
    <button
      type="button"
      className={frozen ? 'button button-bare button-on' : 'button button-bare'}
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
    </button>
  );
}

function Find({ log }: { readonly log: LogView }): ReactNode {
  return (
    <SearchField
      key={log.key}
      label="Find methods"
      placeholder="Find"
      // While copies are filled again, what is being typed keeps the focus.
      disabled={!hasSamples(log) && log.searchText === ''}
      value={log.searchText}
      onSearch={search}
      onFind={find}
      onLeave={enterCurrentPane}
      isOnly={foundOnly(log.where) !== undefined}
      onOnly={toggleOnlyMatches}
      result={searchResult(log)}
      problem={log.search?.text === log.searchText ? log.search.problem : undefined}
    />
  );
}

/** Ends a recording that Leanscope has started, and keeps it open; saves one that has ended. Nothing for any other log. */
function StopButton({ log: { hostLog } }: { readonly log: LogView }): ReactNode {
  const state = useWindow(({ jvms }) => (hostLog === undefined ? undefined : jvms.recordings[hostLog]));
  if (hostLog === undefined || (state !== 'running' && state !== 'unsaved')) return null;
  if (state === 'unsaved')
    return (
      <Button
        icon="export"
        testId="save-unsaved"
        tip="Save the recording as the JVM made it"
        onClick={() => saveRecording(hostLog)}
      >
        Save…
      </Button>
    );
  return (
    <Button
      icon="stop"
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
      text="Export…"
      testId="export-menu"
      disabled={!hasSamples(log)}
      entries={exportEntries(log)}
    />
  );
}

/** The menus of exports after the first group. */
const EXPORT_GROUPS = ['Texts and tables', 'For another tool'] as const;

/** What is exported most is first; the rest is in menus beside it. */
function exportEntries(log: LogView): readonly MenuEntry[] {
  const state = useWindow.getState();
  const offered = (ids: readonly string[]): readonly MenuEntry[] =>
    ids.filter((id) => commandWithId(id)?.when?.(state) !== false).map(entryOf);
  const groups = EXPORT_MENU.map((group) => offered(group.map((format) => exportId(format))));
  const [first = [], ...others] = groups;
  const compared = offered(COMPARE_MENU.flat().map((format) => `export-compared-${format}`));
  return [
    ...(log.baseline === undefined ? [] : [{ text: 'Comparison', entries: atMostEight(compared) }]),
    ...(log.isRecording ? [entryOf('save-recording')] : []),
    ...first,
    ...others.flatMap((entries, at) =>
      entries.length === 0 ? [] : [{ text: EXPORT_GROUPS[at], entries: atMostEight(entries) }],
    ),
  ];
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
