import { type Baseline, isEmptyScope } from '../../shared/scope/scope.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { rangeText } from '../../shared/scope/time-text.ts';
import { threadProblem, threadsText } from '../../shared/scope/thread-pattern.ts';
import { conditionsText } from '../../shared/engine/views/conditions-text.ts';
import { conditionProblem, isOfComparison, NO_CONDITIONS } from '../../shared/engine/views/row-conditions.ts';
import type { SplitMethod } from '../../shared/engine/trees/grouping.ts';
import {
  editStep,
  filterRows,
  hideErrors,
  joinLines,
  removeThread,
  removeTransform,
  splitIn,
} from '../store/scope-actions.ts';
import { comparedText } from '../store/compared-names.ts';
import { compareWith, swapSides } from '../store/compare-actions.ts';
import { openDialog, zoomTo } from '../store/actions.ts';
import { chooseRange } from '../store/time-actions.ts';
import { unitsOf, wholeFlame } from '../store/selectors.ts';
import type { LogView, WindowState } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

/** One choice of what the panes look at. */
export interface ScopeChip {
  /** Names its place and text: another text is another chip, whose width is measured anew. */
  readonly key: string;
  readonly text: string;
  readonly help: string;
  /** A further note in the panel. */
  readonly note?: string | undefined;
  /** Changes what the chip says; undefined where it can only be removed. */
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove: () => void;
  /** Swaps the sides of the comparison that the chip names. */
  readonly onSwap?: () => void;
  /** A sentence: where it is shortened, no word at its end is cut if that is possible. */
  readonly isSentence?: boolean;
  /** The top row has a switch for it, which says the same. */
  readonly isSwitch?: boolean;
}

/** So many split methods have one chip: the rows of each can be joined where it is. */
const MOST_SPLIT_CHIPS = 3;
/** Most names in the text of a chip. */
const MOST_NAMES = 5;

/** The choices of the scope in the order in which they are applied; errors are left out last. */
export function useScopeChips(log: LogView): readonly ScopeChip[] {
  const { scope, baseline, where, hidesErrors, zoom } = log;
  const frames = useWindow((state) => state.preferences.frames);
  const narrows = useWindow((state) => state.preferences.zoomNarrows);
  const first = useWindow((state) => freshest(state, log)?.timeline?.first);
  const zoomed = useWindow((state) => zoomLabel(state, log));
  const compared = useBaselineText(log, baseline);
  const split = splitIn(log.split, frames);
  const chips: ScopeChip[] = [];
  const add = (chip: Omit<ScopeChip, 'key'>): void =>
    void chips.push({ ...chip, key: `${chips.length} ${chip.text}` });

  if (scope.range !== undefined)
    add({
      text: rangeText(scope.range, first === undefined ? undefined : BigInt(first)),
      help: 'Only samples of this time',
      onOpen: () => openDialog({ kind: 'range' }),
      onRemove: () => chooseRange(undefined),
    });
  if (compared !== undefined)
    add({
      ...compared,
      isSentence: true,
      help: 'The baseline of the differences',
      onRemove: () => compareWith(undefined),
      onSwap: swapSides,
    });
  for (const thread of scope.threads)
    add({
      text: threadsText(thread),
      note: threadProblem(thread),
      help: 'Only samples of the selected threads',
      onRemove: () => removeThread(thread),
    });
  for (const [at, transform] of scope.transforms.entries()) {
    const kind = kindOf(transform);
    add({
      text: kind.text(transform),
      help: kind.help(transform),
      onOpen: kind.dialog === undefined ? undefined : () => editStep({ transform, at }),
      onRemove: () => removeTransform(at),
    });
  }
  if (zoom !== undefined)
    add({
      text: `zoomed into ${zoomed}`,
      help: `${narrows ? 'Flame graph, call tree and methods show' : 'The flame graph shows'} only what is below`,
      onRemove: () => zoomTo(undefined),
    });
  if (where.length > 0)
    add({
      text: `rows: ${conditionsText(where, unitsOf(log))}`,
      help: 'Only rows that pass, and the rows above them',
      note:
        baseline === undefined && where.some((group) => group.some(isOfComparison))
          ? 'Conditions of a comparison are left out while nothing is compared'
          : where
              .flat()
              .map(conditionProblem)
              .find((problem) => problem !== undefined),
      onOpen: () => openDialog({ kind: 'filter' }),
      onRemove: () => filterRows(NO_CONDITIONS),
    });
  if (split.length < MOST_SPLIT_CHIPS)
    for (const { key, by } of split)
      add({
        text: `${by === 'line' ? 'lines' : 'BCIs'} of ${key}`,
        help: 'The rows of this method are split',
        onRemove: () => joinLines(key),
      });
  else
    add({
      text: `lines of ${split.length} methods`,
      help: `The rows of ${namesOf(split)} are split`,
      onRemove: () => joinLines(...split.map(({ key }) => key)),
    });
  if (hidesErrors)
    add({
      text: 'without errors',
      help: 'Samples whose stack the profiler could not walk are left out',
      onRemove: () => hideErrors(false),
      isSwitch: true,
    });
  return chips;
}

/** The panes show less than all samples, or other than they are. */
export function isScoped(log: LogView): boolean {
  return (
    !isEmptyScope(log.scope) ||
    log.where.length > 0 ||
    log.split.length > 0 ||
    log.baseline !== undefined ||
    log.hidesErrors ||
    log.zoom !== undefined
  );
}

/** The log as it is now: the one that a component got may be older in what panes read. */
function freshest(state: WindowState, { key }: LogView): LogView | undefined {
  return state.logs.find((log) => log.key === key);
}

/** Names the baseline that the samples in scope are compared with. */
function useBaselineText(
  log: LogView,
  baseline: Baseline | undefined,
): Pick<ScopeChip, 'text' | 'note'> | undefined {
  const compared = (state: WindowState): ReturnType<typeof comparedText> | undefined =>
    baseline && comparedText(state, freshest(state, log) ?? log, baseline);
  const text = useWindow((state) => compared(state)?.text);
  const note = useWindow((state) => compared(state)?.note);
  return text === undefined ? undefined : { text, note };
}

/** The frame that the whole graph is zoomed into. */
function zoomLabel(state: WindowState, log: LogView): string {
  const shown = freshest(state, log)?.panes[wholeFlame(state)].shown;
  // Until it is drawn, and where it is not in scope.
  return (shown?.zoom && shown.path.at(-1)?.label) ?? 'a frame';
}

/** `Cart.add, Cart.price, Shop.run and 4 more` */
function namesOf(split: readonly SplitMethod[]): string {
  const names = split.slice(0, MOST_NAMES).map(({ key }) => key);
  const more = split.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
