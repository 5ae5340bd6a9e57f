import type { MouseEvent } from 'react';
import type { ColourBy } from '../../../shared/text/frame-colour.ts';
import type { TimePattern } from '../../../shared/engine/views/time-pattern.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import type { Measure } from '../../../shared/engine/columns/column.ts';
import type { ShownColumn } from '../table/columns.ts';

/** Properties of the component that draws a row. */
export interface RowLineProps {
  readonly pane: RowsPaneId;
  /** True for a tree, whose rows expand and collapse; false for a list. */
  readonly isTree: boolean;
  readonly row: Row;
  /** Position among all rows. */
  readonly index: number;
  /** CSS pixels. */
  readonly top: number;
  /** CSS pixels. */
  readonly indent: number;
  readonly selected: boolean;
  /** Related to the selection: another call of the selected method. */
  readonly related: boolean;
  /** The order of the row and the one above it may be chance. */
  readonly undecided: boolean;
  /** How its samples are spread over the time, where a column shows it. */
  readonly pattern: TimePattern | undefined;
  /** Search text to mark in the name. */
  readonly search: string;
  readonly columns: readonly ShownColumn[];
  /** CSS pixels for the name; the columns follow. */
  readonly nameWidth: number;
  readonly measure: Measure;
  readonly colourBy: ColourBy;
  readonly onMenu: (row: Row, event: MouseEvent) => void;
}
