import { later } from '../../widgets/later.tsx';

export const timesPart = later(async () => (await import('../panes-loaded-later.ts')).PANES.TimesColumn);

export const detailTimesPart = later(
  async () => (await import('../panes-loaded-later.ts')).PANES.DetailTimes,
);
