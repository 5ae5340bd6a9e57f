import { later } from '../../widgets/later.tsx';

/** Loaded when a source is first shown. */
export const sourcePart = later(async () => (await import('../panes-loaded-later.ts')).PANES.SourcePane);

/** Loaded with the first callers and callees. */
export const hottestLinesPart = later(
  async () => (await import('../panes-loaded-later.ts')).PANES.HottestLines,
);
