import { kindOf } from '../../shared/scope/transforms.ts';
import { contextsText } from '../../shared/scope/context-condition.ts';
import { changeContexts } from '../store/actions/request-actions.ts';
import { rangeText } from '../../shared/scope/time-range.ts';
import { threadProblem, threadsText } from '../../shared/scope/thread-pattern.ts';
import {
  conditionsText,
  conditionProblem,
  foundOnly,
  isOfComparison,
  NO_CONDITIONS,
} from '../../shared/engine/views/row-conditions.ts';
import {
  editStep,
  joinLines,
  removeTransform,
  splitIn,
  selectThreads,
} from '../store/actions/scope-actions.ts';
import { comparedText } from '../store/state/compared-names.ts';
import { swapSides } from '../store/actions/compare-actions.ts';
import { openDialog, showPane, zoomTo, changeScope } from '../store/actions/actions.ts';
import { chooseRange } from '../store/actions/time-actions.ts';
import { hasContexts, isPartial, unitsOf } from '../store/state/selectors.ts';
import { wholeFlame } from '../store/state/shown-panes.ts';
import type { LogView, WindowState } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';

/** A part of the scope: one choice of what the panes look at. */
export interface ScopePart {
  readonly key: string;
  readonly text: string;
  readonly help: string;
  /** A further note in its tooltip. */
  readonly note?: string | undefined;
  /** Changes the part; undefined where it can only be removed. */
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove: () => void;
  /** Swaps the sides of the comparison that it names. */
  readonly onSwap?: () => void;
}

/** So many split methods have one part: the rows of each can be joined where it is. */
const MOST_SPLIT_PARTS = 3;
/** Most names in the text of a part. */
const MOST_NAMES = 5;

/** The parts of the scope: threads first, then in the order in which they are applied. */
export function useScopeParts(log: LogView): readonly ScopePart[] {
  const { scope, baseline, where, zoom, keepsZoom } = log;
  const frames = useWindow((state) => state.preferences.frames);
  const first = useWindow((state) => freshest(state, log)?.timeline?.first);
  const zoomed = useWindow((state) => zoomLabel(state, log));
  const comparedWith = (state: WindowState): ReturnType<typeof comparedText> | undefined =>
    baseline && comparedText(state, freshest(state, log) ?? log, baseline);
  const compared = useWindow((state) => comparedWith(state)?.text);
  const comparedNote = useWindow((state) => comparedWith(state)?.note);
  const split = splitIn(log.split, frames);
  const parts: ScopePart[] = [];
  const add = (part: Omit<ScopePart, 'key'>): void =>
    void parts.push({ ...part, key: `${parts.length} ${part.text}` });

  for (const thread of scope.threads)
    add({
      text: threadsText(thread),
      note: threadProblem(thread),
      help: 'Only samples of the selected threads',
      onOpen: () => openDialog({ kind: 'threads' }),
      onRemove: () => selectThreads(scope.threads.filter((each) => each !== thread)),
    });
  if (scope.range !== undefined)
    add({
      text: rangeText(scope.range, first === undefined ? undefined : BigInt(first)),
      help: 'Only samples of this time',
      onOpen: () => openDialog({ kind: 'range' }),
      onRemove: () => chooseRange(undefined),
    });
  if (scope.contexts !== undefined) {
    const isWithout = log.summary !== undefined && !hasContexts(log) && !isPartial(log);
    add({
      text: `${contextsText(scope.contexts)}${isWithout ? ': no requests in this log' : ''}`,
      help: 'Only samples of these requests',
      note: isWithout ? 'This log tells of no requests, so that all samples are shown' : undefined,
      onOpen: hasContexts(log) ? () => showPane('operations') : undefined,
      onRemove: () => changeContexts(() => ({ contexts: undefined })),
    });
  }
  for (const [at, transform] of scope.transforms.entries()) {
    const kind = kindOf(transform);
    add({
      text: kind.text(transform),
      help: kind.help(transform),
      onOpen: kind.dialog === undefined ? undefined : () => editStep({ transform, at }),
      onRemove: () => removeTransform(at),
    });
  }
  if (zoom !== undefined && keepsZoom)
    add({
      text: `Only below ${zoomed}`,
      help: 'All panes show only what is below',
      onRemove: () => zoomTo(undefined),
    });
  // The find field shows its own.
  if (where.length > 0 && foundOnly(where) !== log.searchText)
    add({
      text: `Only rows where ${conditionsText(where, unitsOf(log))}`,
      help: 'Only rows that pass, and the rows above them',
      note:
        baseline === undefined && where.some((group) => group.some(isOfComparison))
          ? 'Conditions of a comparison are left out while nothing is compared'
          : where
              .flat()
              .map(conditionProblem)
              .find((problem) => problem !== undefined),
      onOpen: () => openDialog({ kind: 'filter' }),
      onRemove: () => changeScope({ where: NO_CONDITIONS }),
    });
  if (split.length < MOST_SPLIT_PARTS)
    for (const { key, by } of split)
      add({
        text: `${by === 'line' ? 'lines' : 'BCIs'} of ${key}`,
        help: 'The rows of this method are split',
        onRemove: () => joinLines(key),
      });
  else {
    const keys = split.map(({ key }) => key);
    const more = keys.length - MOST_NAMES;
    const names = `${keys.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    add({
      text: `lines of ${keys.length} methods`,
      help: `The rows of ${names} are split`,
      onRemove: () => joinLines(...keys),
    });
  }
  if (compared !== undefined)
    add({
      text: compared,
      note: comparedNote,
      help: 'The baseline of the differences',
      onRemove: () => changeScope({ baseline: undefined }),
      onSwap: swapSides,
    });
  return parts;
}

/** The log as it is now: the one that a component got may be older in what panes read. */
function freshest(state: WindowState, { key }: LogView): LogView | undefined {
  return state.logs.find((log) => log.key === key);
}

/** The frame that the whole graph is zoomed into. */
function zoomLabel(state: WindowState, log: LogView): string {
  const shown = freshest(state, log)?.panes[wholeFlame(state)].shown;
  // Until it is drawn, and where it is not in scope.
  return (shown?.zoom && shown.path.at(-1)?.label) ?? 'a frame';
}
