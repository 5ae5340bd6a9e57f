import type { ComparisonWriter, WrittenComparison } from './written-comparison.ts';
import { assert } from '../assert.ts';
import { type OutputSink, ExportBudget } from './export-input.ts';
import { menuGroups } from './export-list.ts';

interface CompareFormat {
  /** Its name on the command line. */
  readonly id: string;
  /** The text of its menu item. */
  readonly label: string;
  /** See `ExportFormat.does`. */
  readonly does: string;
  /** The file extension without its first point. */
  readonly extension: string;
  /** See `ExportFormat.mediaType`. */
  readonly mediaType?: string;
  /** See `ExportFormat.menu`. */
  readonly menu?: number;
  /** It has the rows of the panes, with the lines of split methods. Reports are about whole methods. */
  readonly splits?: true;
  /** See `ExportFormat.hasLines`. */
  readonly hasLines?: true;
  /** The options that it uses, of those that not every format uses. */
  readonly options: readonly string[];
  /** See `ExportFormat.carries`. */
  readonly carries?: 'page';
  /** Loads its writer. */
  readonly load: () => Promise<ComparisonWriter>;
}

/** The formats of a comparison, in the order in which the command line lists them. */
export const COMPARE_FORMATS = [
  {
    id: 'report',
    label: 'Comparison (text)',
    does: 'for people: the methods whose share changed more than chance explains (95 % interval)',
    extension: 'compared.txt',
    menu: 14,
    hasLines: true,
    options: ['rows', 'title'],
    load: async () => (await import('./compare-report.ts')).writeReport,
  },
  {
    id: 'report-md',
    label: 'Comparison (Markdown)',
    does: 'the same for a pull request',
    extension: 'compared.md',
    mediaType: 'text/markdown',
    menu: 15,
    hasLines: true,
    options: ['rows', 'title'],
    load: async () => (await import('./compare-report.ts')).writeReportMarkdown,
  },
  {
    id: 'github',
    label: 'Annotations of GitHub',
    does: 'a warning for each method that grew, as annotations of a workflow',
    extension: 'compared.github.txt',
    hasLines: true,
    options: ['rows', 'source'],
    load: async () => (await import('./compare-text.ts')).writeGithub,
  },
  {
    id: 'html',
    label: 'Comparison as page to send (HTML)',
    does: 'the window with both profiles in one file, to send: opens in any browser',
    extension: 'compared.html',
    mediaType: 'text/html',
    menu: 10,
    carries: 'page',
    options: ['title', 'anonymous', 'no-threads', 'no-times', 'note'],
    load: async () => (await import('./page.ts')).writeComparedPage,
  },
  {
    id: 'report-html',
    label: 'Report of the comparison (HTML)',
    does: 'the report as one file, with a differential flame graph',
    extension: 'compared.report.html',
    mediaType: 'text/html',
    menu: 11,
    options: ['rows', 'threads', 'theme', 'icicle', 'width', 'title'],
    load: async () => (await import('./compare-report.ts')).writeReportHtml,
  },
  {
    id: 'flat',
    label: 'Compared methods (text)',
    does: 'both flat profiles: key, then self and total samples and time of BASE, then of NEW',
    extension: 'compared.flat.txt',
    splits: true,
    hasLines: true,
    options: ['rows', 'normalize', 'recursion'],
    load: async () => (await import('./compare-text.ts')).writeComparedFlat,
  },
  {
    id: 'tree',
    label: 'Compared call trees (text)',
    does: 'both call trees in the same way',
    extension: 'compared.tree.txt',
    splits: true,
    hasLines: true,
    options: ['rows', 'normalize', 'threads'],
    load: async () => (await import('./compare-text.ts')).writeComparedTree,
  },
  {
    id: 'csv',
    label: 'Compared methods (CSV)',
    does: 'both flat profiles and their differences for spreadsheets',
    extension: 'compared.csv',
    mediaType: 'text/csv',
    menu: 13,
    splits: true,
    hasLines: true,
    options: ['rows'],
    load: async () => (await import('./compare-csv.ts')).writeComparedCsv,
  },
  {
    id: 'svg',
    label: 'Differential flame graph (SVG)',
    does: 'a differential flame graph',
    extension: 'compared.svg',
    mediaType: 'image/svg+xml',
    menu: 12,
    splits: true,
    options: ['rows', 'normalize', 'threads', 'root', 'theme', 'icicle', 'width', 'title'],
    load: async () => (await import('./compare-svg.ts')).writeComparedSvg,
  },
] as const satisfies readonly CompareFormat[];

export type CompareOption = (typeof COMPARE_FORMATS)[number]['options'][number];

/** Options of the command line that only some formats of a comparison use. */
export const COMPARE_OPTIONS: readonly CompareOption[] = [
  ...new Set(COMPARE_FORMATS.flatMap(({ options }): readonly CompareOption[] => options)),
];

export type CompareFormatId = (typeof COMPARE_FORMATS)[number]['id'];

export const COMPARE_FORMAT_IDS: readonly CompareFormatId[] = COMPARE_FORMATS.map(({ id }) => id);

export function compareFormat(id: CompareFormatId): CompareFormat {
  const format: CompareFormat | undefined = COMPARE_FORMATS.find((each) => each.id === id);
  assert(format !== undefined, 'each id is that of a format');
  return format;
}

export function compareFormatsWith(option: CompareOption): readonly CompareFormatId[] {
  return COMPARE_FORMAT_IDS.filter((id) => compareFormat(id).options.includes(option));
}

/** Writes a comparison. Returns where it stopped if `budget` is spent, as a phrase. Throws ExportRefusal as `WriteExport`. */
export type WriteComparison = (
  comparison: WrittenComparison,
  sink: OutputSink,
  budget?: ExportBudget,
) => string | undefined;

export async function loadComparison(id: CompareFormatId): Promise<WriteComparison> {
  const format = compareFormat(id);
  const write = await format.load();
  return (comparison, sink, budget = new ExportBudget()) => {
    budget.spend(format, sink, (limited) => write(comparison, limited));
    return budget.stopped;
  };
}

/** The formats in the window's menu. */
export const COMPARE_MENU = menuGroups(COMPARE_FORMATS).flat();
