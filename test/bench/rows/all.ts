import type { BenchRow } from '../row.ts';
import { ANSWER_ROWS } from './answers.ts';
import { BROWSER_ROWS } from './browser.ts';
import { COMMAND_ROWS, ownLogRows } from './command.ts';
import { DAY_ROWS } from './day.ts';
import { FUNCTION_ROWS } from './functions.ts';
import { FLAME_ROWS } from './flame.ts';
import { FLEET_ROWS } from './fleet.ts';
import { GROWTH_ROWS } from './growth.ts';
import { JFR_ROWS } from './jfr.ts';
import { JVM_ROWS } from './jvm.ts';
import { LIVE_ROWS } from './live.ts';
import { PANE_ROWS } from './panes.ts';
import { SCOPE_ROWS } from './scope.ts';
import { SOAK_ROWS } from './soak.ts';
import { STALLED_ROWS } from './stalled.ts';
import { START_ROWS } from './start.ts';
import { TIME_ROWS } from './time.ts';

/** Every row, in the order of the table. */
export const ALL_ROWS: readonly BenchRow[] = [
  ...COMMAND_ROWS,
  ...JFR_ROWS,
  ...GROWTH_ROWS,
  ...FLEET_ROWS,
  ...PANE_ROWS,
  ...FLAME_ROWS,
  ...SCOPE_ROWS,
  ...FUNCTION_ROWS,
  ...TIME_ROWS,
  ...DAY_ROWS,
  ...BROWSER_ROWS,
  ...ANSWER_ROWS,
  ...LIVE_ROWS,
  ...STALLED_ROWS,
  ...JVM_ROWS,
  ...START_ROWS,
  ...SOAK_ROWS,
];

/** All rows, or those that accept a log of one's own. */
export function rowsFor(file: string | undefined): readonly BenchRow[] {
  return file === undefined ? ALL_ROWS : ownLogRows(file);
}
