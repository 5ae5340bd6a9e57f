import { exportFileName } from './export-formats.ts';

export interface CompareFormat {
  /** As in ExportFormat. */
  readonly label: string;
  readonly extension: string;
  readonly mediaType: string;
  /** It has the rows of the panes, with the lines of split methods. Reports are about whole methods. */
  readonly splits?: true;
  /** As in ExportFormat. */
  readonly hasLines?: true;
}

/** The formats of a comparison, in the order in which the command line lists them. */
export const COMPARE_FORMATS = {
  report: { label: 'Comparison (text)', extension: 'compared.txt', mediaType: 'text/plain', hasLines: true },
  'report-md': {
    label: 'Comparison (Markdown)',
    extension: 'compared.md',
    mediaType: 'text/markdown',
    hasLines: true,
  },
  html: { label: 'Comparison (HTML)', extension: 'compared.html', mediaType: 'text/html' },
  flat: {
    label: 'Compared methods (text)',
    extension: 'compared.flat.txt',
    mediaType: 'text/plain',
    hasLines: true,
    splits: true,
  },
  tree: {
    label: 'Compared call trees (text)',
    extension: 'compared.tree.txt',
    mediaType: 'text/plain',
    hasLines: true,
    splits: true,
  },
  csv: {
    label: 'Compared methods (CSV)',
    extension: 'compared.csv',
    mediaType: 'text/csv',
    hasLines: true,
    splits: true,
  },
  svg: {
    label: 'Differential flame graph (SVG)',
    extension: 'compared.svg',
    mediaType: 'image/svg+xml',
    splits: true,
  },
} as const satisfies Readonly<Record<string, CompareFormat>>;

export type CompareFormatId = keyof typeof COMPARE_FORMATS;

export const COMPARE_FORMAT_IDS = Object.keys(COMPARE_FORMATS) as readonly CompareFormatId[];

export function compareFormat(id: CompareFormatId): CompareFormat {
  return COMPARE_FORMATS[id];
}

/** The name of a file that is exported from a comparison: from `shop.hpl.gz` as html it is `shop.compared.html`. */
export function comparedFileName(logName: string, id: CompareFormatId): string {
  return `${exportFileName(logName, 'svg').slice(0, -'.svg'.length)}.${COMPARE_FORMATS[id].extension}`;
}

/** Those in the window's menu. */
export const COMPARE_MENU: readonly CompareFormatId[] = ['html', 'svg', 'csv', 'report', 'report-md'];
