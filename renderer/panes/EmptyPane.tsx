import type { ReactNode } from 'react';
import { openDialog, search, zoomTo, changeScope } from '../store/actions/actions.ts';
import { openLog, readAgain } from '../store/actions/log-actions.ts';
import { NO_CONDITIONS, foundOnly } from '../../shared/engine/views/row-conditions.ts';
import { COMPARE_PARTS, isMarked } from '../store/actions/compare-actions.ts';
import { clearScope, hideErrors } from '../store/actions/scope-actions.ts';
import { leavesErrorsOut, unitsOf } from '../store/state/selectors.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { elideMiddle } from '../../shared/text/format-frame.ts';
import { capitalised, formatCount } from '../../shared/text/format-value.ts';

/** Stands in for rows where there are none. */
export function EmptyPane({
  log: { key },
  isFlat = false,
  isZoomed = false,
}: {
  readonly log: { readonly key: LogKey };
  readonly isFlat?: boolean;
  /** See `emptyText`. */
  readonly isZoomed?: boolean;
}): ReactNode {
  const log = useWindow(({ logs }) => logs.find((each) => each.key === key));
  const said = log === undefined || awaitsSamples(log) ? undefined : emptyText(log, isFlat, isZoomed);
  if (log === undefined || said === undefined) return null;
  const { title, text, action, reasons, isProblem } = said;
  return (
    <EmptyState
      title={title}
      text={text}
      where={
        said.isAboutFile !== true
          ? undefined
          : log.hostLog === undefined
            ? log.name
            : `${log.folder}/${log.name}`
      }
      action={action && ACTIONS[action]}
      reasons={reasons}
      isProblem={isProblem}
    />
  );
}

/** Actions that an empty pane offers. */
export const ACTIONS = {
  openAnother: {
    text: 'Open another file…',
    run: () => openLog(document.querySelector<HTMLInputElement>('input[type=file]')),
  },
  tryAgain: { text: 'Try again', run: () => readAgain() },
  showDetails: { text: 'Show details', run: () => openDialog({ kind: 'details' }) },
  clearSearch: { text: 'Clear search', run: () => search('') },
  showErrors: { text: 'Count them', run: () => hideErrors(false) },
  clearScope: { text: 'Show all', run: clearScope },
  clearFilter: { text: 'Show all rows', run: () => changeScope({ where: NO_CONDITIONS }) },
  resetZoom: { text: 'Reset zoom', run: () => zoomTo(undefined) },
  removeMark: {
    text: 'Remove the mark',
    run: () => changeScope(({ scope }) => ({ baseline: undefined, scope: { ...scope, range: undefined } })),
  },
};

interface EmptyText {
  readonly title: string;
  readonly text?: string | undefined;
  /** The action most likely to help; the rest is in menus. */
  readonly action?: keyof typeof ACTIONS;
  /** The path of the file is shown with it. */
  readonly isAboutFile?: boolean;
  readonly isProblem?: boolean | undefined;
  readonly reasons?: readonly { readonly name: string; readonly because: string }[] | undefined;
}

/** Longest search text in a title, characters. */
const MOST_SHOWN = 60;

/**
 * Why a pane has nothing to show; undefined while its first rows are expected. `isZoomed`: it shows what is below the
 * zoom of the flame graph.
 */
export function emptyText(log: LogView, isFlat: boolean, isZoomed = false): EmptyText | undefined {
  const { summary, status, hidesErrors } = log;
  const { counted } = unitsOf(log);
  if (summary === undefined || summary.samples === 0) {
    return status === undefined ? undefined : fileText(status, counted);
  }
  const { samples, hidden, outside, beyondZoom } = summary;
  if (hidesErrors && hidden.samples >= samples) {
    return {
      title: 'No sample has a stack',
      text: 'Samples without a stack are left out, and nothing else was recorded.',
      action: 'showErrors',
    };
  }
  if (outside.samples > 0 && outside.samples >= samples - hidden.samples) {
    if (isMarked(log))
      return {
        title: `No ${counted.one} since the mark`,
        text: `New ${counted.many} are shown here and compared with those before. ${COMPARE_PARTS}`,
        action: 'removeMark',
      };
    return {
      title: 'Nothing is in this scope',
      text: `Its parts leave all ${counted.many} out. Remove one of them above, or show all.`,
      action: 'clearScope',
    };
  }
  const areRowsZoomed = beyondZoom.samples > 0;
  if (areRowsZoomed && outside.samples + beyondZoom.samples >= samples - hidden.samples) {
    return {
      title: 'Nothing in this scope is below the frame',
      text: 'The zoom of the flame graph is a part of the scope.',
      action: 'resetZoom',
    };
  }
  const search = log.search?.text === log.searchText ? log.search : undefined;
  const isOnlyMatches = foundOnly(log.where) === log.searchText;
  const areFound = isOnlyMatches || (isFlat && log.searchText !== '');
  if (areFound && (isOnlyMatches || log.where.length === 0 || search?.names === 0)) {
    const isElsewhere = (search?.names ?? 0) > 0;
    const where = areRowsZoomed ? ' below the zoom' : outside.samples > 0 ? ' in this scope' : '';
    return {
      title: `No method${isElsewhere ? where : ''} matches \u201c${elideMiddle(log.searchText, MOST_SHOWN)}\u201d`,
      text: isOnlyMatches
        ? 'Only matches are shown: see the find field.'
        : 'This list shows only methods that match the find field.',
      action: 'clearSearch',
    };
  }
  if (log.where.length > 0 && (isZoomed || areRowsZoomed)) {
    return {
      title: 'Nothing below the zoom has these names and numbers',
      text: 'Only some rows are shown: see the scope above. Others may be elsewhere.',
      action: 'resetZoom',
    };
  }
  if (log.where.length > 0) {
    return {
      title: 'No row has these names and numbers',
      text:
        isFlat && log.searchText !== ''
          ? 'Only rows with certain names or numbers are shown, and only those that match the find field.'
          : 'Only rows with certain names or numbers are shown: see the scope above.',
      action: 'clearFilter',
    };
  }
  return undefined;
}

/** The parts of the scope that may leave out all rows of a method: a sentence. */
export function whyLeftOut(log: LogView): string {
  const { scope, where } = log;
  const { range, threads, transforms } = scope;
  const parts = [
    ...(where.length > 0 ? ['the choice of rows'] : []),
    ...(transforms.length > 0 ? ['a transform'] : []),
    ...(range === undefined ? [] : ['the time range']),
    ...(threads.length > 0 ? ['the choice of threads'] : []),
    ...(leavesErrorsOut(log) ? ['the choice of samples with a stack'] : []),
  ];
  if (parts.length === 0) return 'It has no samples yet.';
  const all = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
  return `${capitalised(all)} leaves it out. Remove parts of the scope above to see it.`;
}

function fileText(
  status: NonNullable<LogView['status']>,
  { one, many }: { readonly one: string; readonly many: string },
): EmptyText {
  const { problem, damage, detail } = status;
  const ofFile = { isAboutFile: true };
  switch (status.state) {
    case 'failed':
      if (problem === undefined)
        return {
          ...ofFile,
          title: 'Cannot open this file',
          text: detail,
          action: 'tryAgain',
          isProblem: true,
        };
      return {
        ...ofFile,
        title: problem.text,
        text: `${problem.advice.slice(0, 1).toUpperCase()}${problem.advice.slice(1)}.`,
        action: 'openAnother',
        isProblem: true,
        reasons: problem.reasons,
      };
    case 'ended':
      return { title: `No ${many} were recorded`, text: detail };
    case 'gone':
      return {
        ...ofFile,
        title: 'The file is gone',
        text: detail ?? 'It was deleted or moved.',
        action: 'tryAgain',
      };
    case 'damaged':
      return {
        ...ofFile,
        title: damage?.isLimit
          ? `The file exceeds a limit before its first ${one}`
          : `The file is damaged before its first ${one}`,
        text:
          damage &&
          `${damage.isLimit ? 'After' : 'At'} byte ${formatCount(damage.byteOffset)}: ${damage.found}, expected ${damage.expected}.`,
        action: 'showDetails',
        isProblem: true,
      };
    case 'idle':
      return { ...ofFile, title: `No ${many} in this file`, text: idleText(status) };
    case 'waiting':
      return {
        title: 'Waiting for the file',
        text: detail ?? 'It opens when it appears.',
        action: 'tryAgain',
      };
    default:
      return { title: `No ${many} yet`, text: 'They appear here as soon as they are written.' };
  }
}

function idleText({ notes, detail, format, choices }: NonNullable<LogView['status']>): string | undefined {
  if (notes.length > 0) return notes[0];
  if (detail !== undefined) return detail;
  if (format === 'honest-log')
    return 'The agent takes samples while the JVM uses the processor. An idle JVM writes none.';
  return choices.some(({ kind }) => kind === 'one')
    ? 'Another sample type may have samples. Choose it in the top row.'
    : undefined;
}

/** True while neither rows nor an empty state can be shown: the log is being read, or its samples have not arrived. */
export function awaitsSamples({ status, summary }: LogView): boolean {
  if (status === undefined || (summary?.samples ?? 0) > 0 || status.state === 'failed') return false;
  return status.state === 'reading' || status.samples > 0;
}
