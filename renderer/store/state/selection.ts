import type { MethodRef } from '../../../shared/engine/query.ts';
import {
  type Move,
  type PaneEvent,
  type Reveal,
  type Row,
  type Selection,
  placeAfter,
} from '../../profile-worker/pane-messages.ts';
import { isFlamePane, PANE_IDS, type PaneId, PANES, type RowsPaneId } from '../panes/panes.ts';
import { withoutHalfZooms, withSelected } from '../panes/pane-views.ts';
import type { LogView } from './window-state.ts';
import { withZoom } from './scope-history.ts';

/**
 * The selection. A row on screen that the user selects is painted at once, and the mirror is only notified. The mirror
 * is asked when a move leads beyond the rows that the window has. Both can happen at once, so every change has a turn,
 * and an answer is ignored if the user has selected something else since its request.
 */

/** The selected row of a pane, for a row that is on screen there. */
export function selectionOf(
  pane: PaneId,
  { id, label, kind }: Pick<Row, 'id' | 'label'> & Pick<Selection, 'kind'>,
): Selection {
  return { of: PANES[pane].of, id, label, kind };
}

/** Label of the selected method, as frames are grouped; undefined for a thread or a block of frames. */
export function selectedMethod({ selection }: Pick<LogView, 'selection'>): string | undefined {
  const isMethod = selection?.kind === 'frame' || selection?.kind === 'error';
  return isMethod ? selection.label : undefined;
}

/** The log after the user has selected something. */
export function withSelection(log: LogView, selection: Selection | undefined, reveal?: Reveal): LogView {
  const turn = log.selectionTurn + 1;
  // Panes that show this id mark it at once; the others follow with the mirror's answer.
  const rows = Object.fromEntries(
    PANE_IDS.map((id) => [id, selection !== undefined && canShow(id, selection) ? selection.id : undefined]),
  );
  return {
    ...log,
    selection,
    match: undefined,
    selectionTurn: turn,
    answeredTurn: turn,
    panes: withSelected(log.panes, rows, reveal === undefined ? [] : [reveal]),
  };
}

/** Whether a pane may have a row of this id. Blocks of narrow frames are in flame graphs only. */
function canShow(pane: PaneId, { of, kind }: Selection): boolean {
  return PANES[pane].of === of && (kind !== 'block' || PANES[pane].kind === 'flame');
}

/** The log after the mirror's report of the selection. */
export function withAnswer(
  log: LogView,
  { turn, selection, rows, reveals, match }: Extract<PaneEvent, { readonly type: 'selected' }>,
): LogView {
  if (turn < log.answeredTurn) return log;
  const inFlame = reveals.find((reveal) => reveal.kind === 'flame');
  const isSame = selection?.of === log.selection?.of && selection?.id === log.selection?.id;
  const isUnchanged = isSame && selection?.label === log.selection?.label;
  return {
    ...(inFlame !== undefined && isFlamePane(inFlame.pane) ? withZoom(log, inFlame.pane, inFlame.zoom) : log),
    selection: isUnchanged ? log.selection : selection,
    match: match ?? (isSame ? log.match : undefined),
    answeredTurn: turn,
    panes: withSelected(log.panes, rows, reveals),
  };
}

/**
 * The place to which a move leads. Undefined if the window does not have that row, or if the move starts from a row that
 * the mirror has not answered yet: then the mirror is asked.
 */
export function placeAfterMove(log: LogView, pane: RowsPaneId, to: Move, page: number): number | undefined {
  const { shown, selected } = log.panes[pane];
  if (shown === undefined || shown.total === 0 || log.answeredTurn < log.selectionTurn) return undefined;
  const { rows, from, total } = shown;
  const at = selected === undefined ? -1 : rows.findIndex(({ id }) => id === selected);
  // The selected row is not among the window's rows.
  if (at < 0 && selected !== undefined) return undefined;
  if (at >= 0) {
    const { expandable, expanded, depth } = rows[at];
    // It opens or closes the row.
    if (to === 'childOrExpand' && expandable && !expanded) return undefined;
    if (to === 'parentOrCollapse' && expanded) return undefined;
    if (to === 'parentOrCollapse' && depth > 0) {
      const parent = rows.findLastIndex((row, place) => place < at && row.depth < depth);
      return parent < 0 ? undefined : from + parent;
    }
  }
  const along = to === 'childOrExpand' ? 'down' : to;
  const place = placeAfter(along, at < 0 ? at : from + at, page, total);
  return place < from || place >= from + rows.length ? undefined : place;
}

/** The log with callers and callees of another method: the last one of the path. A zoom was one of the method before. */
export function withDetail(log: LogView, detail: readonly MethodRef[]): LogView {
  return { ...log, detail, panes: withoutHalfZooms(log.panes) };
}
