import type { CSSProperties } from 'react';
import { type ColourBy, type ColourTheme, frameStyle } from '../../../shared/text/frame-colour.ts';
import { poolOfThreadKey } from '../../../shared/engine/trees/keys.ts';
import {
  PATTERN_MEANINGS,
  PATTERN_TEXTS,
  type TimePattern,
} from '../../../shared/engine/views/time-pattern.ts';
import type { Row } from '../../profile-worker/pane-messages.ts';
import type { Values, Measure } from '../../../shared/engine/columns/column.ts';
import { cellOf } from '../../../shared/engine/columns/columns.ts';
import { CELL_PADDING, SHARE_NUMBER_WIDTH, type ShownColumn } from './columns.ts';
import { ROW_HEIGHT } from './rows.ts';

/** CSS pixels. */
const BAR_HEIGHT = 8;
const MARK_SIZE = 8;

/** The numbers of one row. */
export interface RowValues {
  /** For a screen reader. */
  readonly spoken: string;
  /** The text of each column; empty for zero. */
  readonly cells: readonly string[];
  /** The exact values of what is rounded, and where samples are too few to tell; undefined where there is nothing to add. */
  readonly exact: string | undefined;
  /** Positions and sizes of the row's background layers, in the order of table.css: mark, bars, guides. */
  readonly layers: CSSProperties;
}

/** The places of a row's parts; CSS pixels from its left edge. */
interface RowPlaces {
  /** Where the columns begin. */
  readonly columnsAt: number;
  /** The mark in the colour of the row's frame; undefined for threads. */
  readonly markAt: number;
  /** Lines for the levels above, and how wide they are together. */
  readonly guidesAt: number;
  readonly guides: number;
}

export function rowValues(
  columns: readonly ShownColumn[],
  row: Values,
  measure: Measure,
  { columnsAt, markAt, guidesAt, guides }: RowPlaces,
  pattern?: TimePattern,
): RowValues {
  const spoken: string[] = [];
  const cells: string[] = [];
  const exact: string[] = [];
  const bars = { totalShare: '0 0', selfShare: '0 0' };
  const places = { totalShare: 0, selfShare: 0 };
  let at = columnsAt;
  for (const { id, title, width } of columns) {
    const cell = cellOf(id, row, measure);
    const { text } = cell;
    if (text !== '') spoken.push(`${title} ${text}`);
    cells.push(text);
    if (cell.exact !== undefined) exact.push(`${title} ${cell.exact}`);
    if (id === 'totalShare' || id === 'selfShare') {
      const longest = Math.max(0, width - SHARE_NUMBER_WIDTH - CELL_PADDING);
      bars[id] = `${barLength(cell.bar ?? 0, longest)}px ${BAR_HEIGHT}px`;
      places[id] = at + CELL_PADDING;
    }
    at += width;
  }
  if (pattern !== undefined) {
    const text = PATTERN_TEXTS[pattern];
    spoken.push(text);
    exact.push(`When: ${text}. ${PATTERN_MEANINGS[pattern]}`);
  }
  const barTop = (ROW_HEIGHT - BAR_HEIGHT) / 2;
  const markTop = (ROW_HEIGHT - MARK_SIZE) / 2;
  return {
    spoken: spoken.join(', '),
    cells,
    exact: exact.length === 0 ? undefined : exact.join('\n'),
    layers: {
      backgroundSize: `${MARK_SIZE}px ${MARK_SIZE}px, ${bars.totalShare}, ${bars.selfShare}, ${guides}px 100%`,
      backgroundPosition: `${markAt}px ${markTop}px, ${places.totalShare}px ${barTop}px, ${places.selfShare}px ${barTop}px, ${guidesAt}px 0`,
    },
  };
}

/** Whole pixels, so that the end of a bar is sharp; what is not nothing has one. */
function barLength(share: number, longest: number): number {
  return share > 0 ? Math.max(1, Math.round(share * longest)) : 0;
}

/** The row's own part of all, 0 to 1; 0 where a time is negative. */
export function selfShare({ selfCount, selfTime }: Values, { metric, whole }: Measure): number {
  const [part, all] = metric === 'time' ? [selfTime, whole.totalTime] : [selfCount, whole.samples];
  return part > 0 && all > 0 ? part / all : 0;
}

/** The colour of a row's mark in both themes, as CSS; transparent for threads. */
export function markColour(row: Row, colourBy: ColourBy, measure: Measure): string {
  const { label, kind, thread } = row;
  if (kind === 'thread' || kind === 'all') return 'transparent';
  const pool = thread === undefined ? undefined : poolOfThreadKey(thread);
  const frame = { label, kind, match: false, pool, selfShare: selfShare(row, measure) };
  const mark = (theme: ColourTheme): string => frameStyle(frame, { theme, colourBy, searching: false }).mark;
  return `light-dark(${mark('light')}, ${mark('dark')})`;
}
