import { later } from '../../widgets/later.tsx';

/** Loaded when a chart is first shown. */
export const chartPart = later(async () => (await import('../panes-loaded-later.ts')).PANES.ChartPane);
