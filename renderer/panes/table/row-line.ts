import type { MouseEvent } from 'react';
import type { ProfileUnits } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/views/grouping.ts';
import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import type { Column } from './columns.ts';

/** What a pane of rows gives the component that draws one. */
export interface RowLineProps<Row> {
  readonly row: Row;
  /** Its place among all. */
  readonly index: number;
  /** CSS pixels. */
  readonly top: number;
  readonly selected: boolean;
  /** What is to be marked in the name. */
  readonly search: string;
  readonly columns: readonly Column[];
  /** CSS pixels for the name; the columns follow. */
  readonly nameWidth: number;
  readonly metric: Metric;
  readonly units: ProfileUnits;
  readonly whole: ProfileSummary;
  readonly onMenu: (row: Row, event: MouseEvent) => void;
}
