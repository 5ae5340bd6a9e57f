import type { MouseEvent } from 'react';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { RowsPaneId } from '../../store/panes.ts';
import type { Measure } from '../table/cells.ts';
import type { Column } from '../table/columns.ts';

/** What a pane of rows gives the component that draws one. */
export interface RowLineProps {
  readonly pane: RowsPaneId;
  /** Rows open and close; else the pane is a list. */
  readonly isTree: boolean;
  readonly row: Row;
  /** Its place among all. */
  readonly index: number;
  /** How many rows there are. */
  readonly total: number;
  /** CSS pixels. */
  readonly top: number;
  /** CSS pixels; 0 in a list. */
  readonly indent: number;
  readonly selected: boolean;
  /** It has to do with what is selected elsewhere: another call of the same method. */
  readonly related: boolean;
  /** What is to be marked in the name. */
  readonly search: string;
  readonly columns: readonly Column[];
  /** CSS pixels for the name; the columns follow. */
  readonly nameWidth: number;
  readonly measure: Measure;
  /** A double click, or Enter. */
  readonly onOpen: (row: Row) => void;
  readonly onMenu: (row: Row, event: MouseEvent) => void;
}
