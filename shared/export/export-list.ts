import type { ExportWriter } from './export-input.ts';

/** The options of export formats. The command line has an option for each. */
export type ExportOption =
  | 'frames'
  | 'threads'
  | 'recursion'
  | 'metric'
  /** Hide errors, and texts that keys must contain. */
  | 'filter'
  /** The method whose callers or callees are written. */
  | 'method'
  /** The number of frames that are kept of a deeper stack. */
  | 'depth'
  /** The number of parts into which the time is divided. */
  | 'buckets'
  | 'title'
  /** The options of the profile that the file carries: include, no-threads, no-times, anonymous, note. */
  | 'carried'
  /** The options of a drawing: search, root, theme, orientation, width. */
  | 'drawing';

/** The purposes of exports. */
export const PURPOSES = ['to read it', 'to share it', 'for another tool'] as const;

export interface ExportFormat {
  /** Its name on the command line. */
  readonly id: string;
  /** The text of its menu item. */
  readonly label: string;
  /** A description for the help. */
  readonly does: string;
  /** The file extension without its first point: `flat.txt`. */
  readonly extension: string;
  /** Ends of file names that other tools give to it. */
  readonly otherExtensions?: readonly string[];
  /** The purpose of the file, and its place among the formats for that, the usual one first. */
  readonly purpose: readonly [purpose: (typeof PURPOSES)[number], place: number];
  /** Without a charset: text is always UTF-8. Undefined: text/plain. */
  readonly mediaType?: string;
  readonly options: readonly ExportOption[];
  /** Its place in the window's menu, whose groups are the tens; undefined: only the command line has it. */
  readonly menu?: number;
  /**
   * The subject of its rows or frames; those that do not pass the filter of the panes are left out. Undefined: it has
   * complete stacks for other programs, whose parts must add up, or none.
   *
   *   methods   the lines of a split method are rows beside its own
   *   calls     a stack has the line of a split method in its place
   */
  readonly rows?: 'methods' | 'calls';
  /** Any of its lines are of use without those after them; else a part of it is of none. */
  readonly hasLines?: true;
  /** It is written from the times of single samples, or tells them where they are known; the others sum samples. */
  readonly usesTimes?: 'needed' | 'if known';
  /** Its writer writes SVG, of which a PNG is made: by the window with a canvas, by the command line with resvg. */
  readonly isPicture?: true;
  /** It carries the profile, so that it can be opened as one. */
  readonly carries?: 'page' | 'drawing';
  /** Loads its writer, so that code which only needs labels or file names does not. */
  readonly load: () => Promise<ExportWriter>;
}

const FLAT = ['frames', 'recursion', 'filter'] as const;
const TREE = ['frames', 'threads', 'filter'] as const;
const METHOD_TREE = [...TREE, 'recursion', 'method'] as const;

/** All export formats, in the order in which the command line lists them. */
export const EXPORT_FORMATS = [
  {
    id: 'lean',
    label: 'Complete profile (text)',
    does: 'every thread and call node with its ids',
    extension: 'lean.txt',
    purpose: ['for another tool', 9],
    options: [],
    menu: 25,
    hasLines: true,
    load: async () => (await import('./lean.ts')).writeLean,
  },
  {
    id: 'flat',
    label: 'Methods (canonical text)',
    does: 'one row per method, sorted by key',
    extension: 'flat.txt',
    purpose: ['for another tool', 8],
    options: FLAT,
    rows: 'methods',
    hasLines: true,
    load: async () => (await import('./flat.ts')).writeFlat,
  },
  {
    id: 'tree',
    label: 'Call tree (text)',
    does: 'the call tree',
    extension: 'tree.txt',
    purpose: ['to read it', 2],
    options: TREE,
    menu: 23,
    rows: 'calls',
    hasLines: true,
    load: async () => (await import('./tree.ts')).writeTree,
  },
  {
    id: 'bottom-up',
    label: 'Bottom-up tree (text)',
    does: 'from the methods in which samples ended to their callers, up to the threads',
    extension: 'bottom-up.txt',
    purpose: ['to read it', 3],
    options: TREE,
    menu: 24,
    rows: 'calls',
    hasLines: true,
    load: async () => (await import('./tree.ts')).writeBottomUp,
  },
  {
    id: 'callers',
    label: 'Callers (text)',
    does: 'the callers of one method up to the threads; only samples that reach the method',
    extension: 'callers.txt',
    purpose: ['to read it', 4],
    options: METHOD_TREE,
    rows: 'calls',
    hasLines: true,
    load: async () => (await import('./tree.ts')).writeCallers,
  },
  {
    id: 'callees',
    label: 'Callees (text)',
    does: 'what one method calls, with the samples that passed through the method',
    extension: 'callees.txt',
    purpose: ['to read it', 5],
    options: METHOD_TREE,
    rows: 'calls',
    hasLines: true,
    load: async () => (await import('./tree.ts')).writeCallees,
  },
  {
    id: 'collapsed',
    label: 'Collapsed stacks',
    does: 'one line per stack, for flame graph scripts',
    extension: 'collapsed',
    otherExtensions: ['folded'],
    purpose: ['for another tool', 1],
    options: [...TREE, 'metric'],
    menu: 14,
    hasLines: true,
    load: async () => (await import('./collapsed.ts')).writeCollapsed,
  },
  {
    id: 'html',
    label: 'Page to send (HTML)',
    does: 'the window with the profile in one file, to send: opens in any browser and in Leanscope',
    extension: 'html',
    purpose: ['to share it', 1],
    mediaType: 'text/html',
    options: ['metric', 'frames', 'title', 'carried'],
    menu: 10,
    carries: 'page',
    load: async () => (await import('./page.ts')).writePage,
  },
  {
    id: 'svg',
    label: 'Flame graph (SVG)',
    does: 'the flame graph as one self-contained SVG file, which opens in Leanscope, too',
    extension: 'svg',
    purpose: ['to share it', 2],
    mediaType: 'image/svg+xml',
    carries: 'drawing',
    options: [...TREE, 'metric', 'title', 'drawing', 'carried'],
    menu: 11,
    rows: 'calls',
    load: async () => (await import('./flame-svg.ts')).writeFlameSvg,
  },
  {
    id: 'png',
    label: 'Flame graph (PNG)',
    does: 'the flame graph as a picture, by resvg',
    extension: 'png',
    purpose: ['to share it', 3],
    mediaType: 'image/svg+xml',
    isPicture: true,
    options: [...TREE, 'metric', 'title', 'drawing'],
    menu: 12,
    rows: 'calls',
    load: async () => (await import('./flame-svg.ts')).writeFlameSvg,
  },
  {
    id: 'md',
    label: 'Summary (Markdown)',
    does: 'the summary, for an issue or a chat',
    extension: 'md',
    otherExtensions: ['markdown'],
    purpose: ['to share it', 4],
    mediaType: 'text/markdown',
    options: ['frames', 'title', 'metric'],
    menu: 13,
    usesTimes: 'if known',
    hasLines: true,
    load: async () => (await import('./summary-markdown.ts')).writeSummaryMarkdown,
  },
  {
    id: 'csv',
    label: 'Methods (CSV)',
    does: 'the flat profile for spreadsheets',
    extension: 'csv',
    purpose: ['to share it', 5],
    mediaType: 'text/csv',
    options: [...FLAT, 'metric'],
    menu: 22,
    rows: 'methods',
    hasLines: true,
    load: async () => (await import('./flat.ts')).writeCsv,
  },
  {
    id: 'methods',
    label: 'Methods (text)',
    does: 'the flat profile for people, with aligned columns',
    extension: 'methods.txt',
    purpose: ['to read it', 1],
    options: [...FLAT, 'metric'],
    menu: 21,
    rows: 'methods',
    hasLines: true,
    load: async () => (await import('./flat.ts')).writeMethods,
  },
  {
    id: 'timeline',
    label: 'Samples over time (text)',
    does: 'how many samples were taken when: start of each part (ns), samples, value',
    extension: 'timeline.txt',
    purpose: ['to read it', 6],
    options: ['buckets'],
    menu: 26,
    usesTimes: 'needed',
    hasLines: true,
    load: async () => (await import('./timeline.ts')).writeTimeline,
  },
  {
    id: 'hprof',
    label: 'hprof',
    does: "stacks and counts, as Android's SamplingProfiler writes them",
    extension: 'hprof',
    purpose: ['for another tool', 5],
    mediaType: 'application/octet-stream',
    options: ['depth'],
    menu: 34,
    load: async () => (await import('./hprof.ts')).writeHprofBinary,
  },
  {
    id: 'hprof-text',
    label: 'hprof (text)',
    does: 'the same as text',
    extension: 'hprof.txt',
    purpose: ['for another tool', 6],
    options: ['depth'],
    load: async () => (await import('./hprof.ts')).writeHprofText,
  },
  {
    id: 'trcbin',
    label: 'TPTP trace',
    does: 'a TPTP trace with an aggregated event per call node',
    extension: 'trcbin',
    purpose: ['for another tool', 7],
    mediaType: 'application/octet-stream',
    options: [],
    menu: 35,
    load: async () => (await import('./trcbin.ts')).writeTrcbin,
  },
  {
    id: 'speedscope',
    label: 'speedscope',
    does: 'for https://www.speedscope.app',
    extension: 'speedscope.json',
    purpose: ['for another tool', 3],
    mediaType: 'application/json',
    options: ['title'],
    menu: 32,
    load: async () => (await import('./speedscope.ts')).writeSpeedscope,
  },
  {
    id: 'pprof',
    label: 'pprof',
    does: 'for `go tool pprof` and similar tools; gzipped if OUT ends in .gz',
    extension: 'pprof',
    otherExtensions: ['pb', 'prof'],
    purpose: ['for another tool', 2],
    mediaType: 'application/octet-stream',
    options: [],
    menu: 31,
    load: async () => (await import('./pprof.ts')).writePprof,
  },
  {
    id: 'otlp',
    label: 'OpenTelemetry',
    does: 'for collectors of OpenTelemetry: opentelemetry-proto 1.10 and 1.11',
    extension: 'otlp',
    purpose: ['for another tool', 10],
    usesTimes: 'if known',
    mediaType: 'application/octet-stream',
    options: [],
    menu: 36,
    load: async () => (await import('./otlp.ts')).writeOtlp,
  },
  {
    id: 'json',
    label: 'Profile (JSON)',
    does: 'threads, methods, frames, call nodes and self values; docs/json.md has its schema',
    extension: 'profile.json',
    otherExtensions: ['json'],
    purpose: ['for another tool', 4],
    mediaType: 'application/json',
    options: ['title'],
    menu: 33,
    load: async () => (await import('./json.ts')).writeJson,
  },
] as const satisfies readonly ExportFormat[];

/** The entries of a registry in a menu, in groups: see `ExportFormat.menu`. */
export function menuGroups<Id>(
  formats: readonly { readonly id: Id; readonly menu?: number }[],
): readonly (readonly Id[])[] {
  const groups: Id[][] = [];
  const places = formats.flatMap(({ id, menu }) => (menu === undefined ? [] : [{ id, menu }]));
  for (const { id, menu } of places.sort((a, b) => a.menu - b.menu))
    (groups[Math.floor(menu / 10)] ??= []).push(id);
  return Object.values(groups);
}
