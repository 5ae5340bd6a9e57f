import { PER_CHOICE } from '../../../shared/facts/choice.ts';
import { attributeOf } from '../../../shared/engine/trees/grouping.ts';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import { threadsOfRow, withoutThreads } from '../../../shared/scope/thread-pattern.ts';
import type { SpreadPart } from '../../profile-worker/pane-messages.ts';
import type { SpreadSpec } from '../../profile-worker/pane-specs.ts';
import { changeActive } from '../../store/actions/actions.ts';
import { activeLog } from '../../store/state/selectors.ts';
import { wholeRange } from '../../store/actions/compare-actions.ts';
import { choose } from '../../store/actions/log-actions.ts';
import { selectAnyRequests, selectRequests } from '../../store/actions/request-actions.ts';
import { withScope } from '../../store/state/scope-history.ts';
import {
  isOnlyPart,
  scopeOfPart,
  showsOnlyPart,
  partsChoices,
  perOf,
  offeredAttributes,
  shownParts,
  withParts,
} from '../../store/state/spread-parts.ts';
import type { LogView } from '../../store/state/window-state.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { capitalised } from '../../../shared/text/format-value.ts';

type SpreadParts = SpreadSpec['parts'];

/** Other parts of the active log; `per:host`: its dataset is asked for those. */
export function chooseParts(parts: SpreadParts | `per:${string}`): void {
  const own = isAsked(parts) ? 'name' : parts;
  changeActive((log) => ({ ...log, panes: { ...log.panes, spread: withParts(log, own) } }));
  if (isAsked(parts)) choose(PER_CHOICE, parts.slice('per:'.length));
}

function isAsked(parts: SpreadParts | `per:${string}`): parts is `per:${string}` {
  return parts.startsWith('per:');
}

/** Another look at the parts of the active log. */
export function chooseSpread(change: Partial<Pick<SpreadSpec, 'by' | 'isOfCall'>>): void {
  changeActive((log) => ({
    ...log,
    panes: { ...log.panes, spread: { ...log.panes.spread, ...change } },
  }));
}

/** Only the samples of a part; of all parts where the scope is that part already. */
export function onlyPart(parts: SpreadParts, part: SpreadPart): void {
  const { scope } = activeLog(useWindow.getState()) ?? {};
  if (scope === undefined) return;
  const isOnly = isOnlyPart(scope, parts, part);
  const key = attributeOf(parts);
  if (key !== undefined) return isOnly ? selectAnyRequests(key) : selectRequests(key, part.name, 'all');
  const all = parts === 'time' ? { range: undefined } : { threads: [] };
  changeActive((log) =>
    withScope(log, { scope: isOnly ? { ...scope, ...all } : scopeOfPart(scope, parts, part) }),
  );
}

/** Compares a part with all others: one step for undo. */
export function comparePart(parts: SpreadParts, part: SpreadPart): void {
  const key = attributeOf(parts);
  if (key !== undefined) return selectRequests(key, part.name, 'all against the others');
  changeActive((log) => {
    const scope = scopeOfPart(log.scope, parts, part);
    const before = showsOnlyPart(log, parts) ? EMPTY_SCOPE : log.scope;
    if (parts !== 'time') {
      const threads = withoutThreads(before.threads, threadsOfRow(part.name, parts));
      return withScope(log, { scope, baseline: { threads } });
    }
    const range = before.range ?? wholeRange(log);
    return range === undefined ? log : withScope(log, { scope, baseline: { range } });
  });
}

/** The columns of a dataset whose values are asked for as parts. */
const ASKED = ['host', 'hour', 'pool'];

/**
 * The parts that the pane offers: those that a log has, and in their places those that its dataset is asked for again; of
 * the attributes of requests one, of which `offeredAttributes` has the others.
 */
export function offeredParts(log: LogView): readonly OfferedParts[] {
  const attributes = offeredAttributes(log);
  const shown = shownParts(log);
  const attribute = attributes.find(({ value }) => value === shown?.value) ?? attributes.at(0);
  const { known } = log.panes.spread;
  const choices = partsChoices(log)
    .filter(({ value }) => attributeOf(value) === undefined || value === attribute?.value)
    .map((choice) =>
      known?.includes(choice.value) === false ? { ...choice, isNew: true, hint: GAINED } : choice,
    );
  const per = perOf(log.status);
  if (per === undefined) return choices;
  const isOther = (column: string): boolean => per.options.some(({ value }) => value === column);
  const columns = ASKED.includes(per.chosen) ? ASKED : [per.chosen, ...ASKED];
  const ofColumns = columns.flatMap((column): readonly OfferedParts[] => {
    if (column === per.chosen) return choices.filter(({ value }) => value === 'name');
    const asked = { value: `per:${column}` as const, text: `${capitalised(column)}s`, hint: ASKED_AGAIN };
    return isOther(column) ? [asked] : [];
  });
  return [...ofColumns, ...choices.filter(({ value }) => value !== 'name')];
}

interface OfferedParts {
  /** `per:` and a column of the dataset: the log does not have these parts yet. */
  readonly value: SpreadParts | `per:${string}`;
  readonly text: string;
  readonly hint?: string;
  readonly isNew?: boolean;
}

const GAINED = 'the log had none when it was opened';
const ASKED_AGAIN = 'The dataset is asked again: threads are these, in all panes';
