import { later } from '../widgets/later.tsx';
import type { PANES } from './panes-loaded-later.ts';

const loaded = async (): Promise<typeof PANES> => (await import('./panes-loaded-later.ts')).PANES;

export const chartPart = later(async () => (await loaded()).ChartPane);

export const heatmapPart = later(async () => (await loaded()).HeatmapPane);

export const sourcePart = later(async () => (await loaded()).SourcePane);

export const hottestLinesPart = later(async () => (await loaded()).HottestLines);

export const timesPart = later(async () => (await loaded()).TimesColumn);

export const detailTimesPart = later(async () => (await loaded()).DetailTimes);
