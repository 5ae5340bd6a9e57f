import { ChartPane } from './chart/ChartPane.tsx';
import { HeatmapPane } from './heatmap/HeatmapPane.tsx';
import { DetailTimes } from './rows/DetailTimes.tsx';
import { HottestLines } from './source/HottestLines.tsx';
import { SourcePane } from './source/SourcePane.tsx';
import { TimesColumn } from './table/TimesColumn.tsx';

/**
 * The panes that the first screen does not have: one script, and not one each, because the window loads all of them a
 * moment after it.
 */
export const PANES = { ChartPane, HeatmapPane, DetailTimes, HottestLines, SourcePane, TimesColumn };
