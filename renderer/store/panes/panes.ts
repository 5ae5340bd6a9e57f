import type { PaneSpec } from '../../profile-worker/pane-specs.ts';
import { PANE_LIST, type PaneOfLog, type Place } from './pane-list.ts';

type Definition = (typeof PANE_LIST)[number];

export type PaneId = Definition['id'];

type OfKind<Kind extends PaneSpec['kind']> = Extract<Definition, { kind: Kind }>['id'];
export type RowsPaneId = OfKind<'rows'>;
export type FlamePaneId = OfKind<'flame'>;
/** The graphs of callers and callees: each shows a part of what flows through one method. */
export type HalfPaneId = Extract<Definition, { place: 'sandwich' }>['id'];

/** The pane at the place of the flame graph. */
export type FlameChoice = Extract<Definition, { place: 'flame'; choice: string }>['choice'];
/** The pane at the place of the tree. `detail`: callers and callees of the selected method; `source`: its source. */
export type TreeChoice = Extract<Definition, { place: 'tree' }>['choice'];

/** Definitions by id. */
export const PANES = Object.fromEntries(PANE_LIST.map((pane) => [pane.id, pane])) as {
  readonly [Id in PaneId]: Extract<Definition, { id: Id }>;
};

export const PANE_IDS = PANE_LIST.map(({ id }) => id);

export function isOfKind(id: string, kind: string): id is PaneId {
  return Object.hasOwn(PANES, id) && PANES[id as PaneId].kind === kind;
}

export function isRowsPane(id: string): id is RowsPaneId {
  return isOfKind(id, 'rows');
}

export function isFlamePane(id: string): id is FlamePaneId {
  return isOfKind(id, 'flame');
}

export function isHalf(id: PaneId): id is HalfPaneId {
  return PANES[id].place === 'sandwich';
}

export function definitionOf(pane: PaneId): PaneOfLog {
  return PANES[pane];
}

/** The first pane of each choice of a place. */
export function choicesOf(place: Place): readonly PaneOfLog[] {
  const panes: readonly PaneOfLog[] = PANE_LIST;
  return panes.filter(
    (pane, at) =>
      pane.place === place &&
      pane.choice !== undefined &&
      panes.findIndex((each) => each.place === place && each.choice === pane.choice) === at,
  );
}

/** The panes of a choice; of the first one of the place, where it has no such choice. */
export function panesOfChoice(place: Place, choice?: string): readonly PaneId[] {
  const choices = choicesOf(place);
  const shown = choices.find((each) => each.choice === choice) ?? choices[0];
  return PANE_LIST.filter((pane: PaneOfLog) => pane.place === place && pane.choice === shown.choice).map(
    ({ id }) => id,
  );
}
