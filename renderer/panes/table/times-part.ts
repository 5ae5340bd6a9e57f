import { later } from '../../widgets/later.tsx';

export const timesPart = later(async () => (await import('./TimesColumn.tsx')).TimesColumn);

export const detailTimesPart = later(async () => (await import('../rows/DetailTimes.tsx')).DetailTimes);
