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
  /** The options of a drawing: search, root, theme, orientation, width. */
  | 'drawing';

export interface ExportFormat {
  /** The text of its menu item. */
  readonly label: string;
  /** The file extension without its first point: `flat.txt`. */
  readonly extension: string;
  /** Without a charset: text is always UTF-8. */
  readonly mediaType: string;
  readonly isBinary: boolean;
  readonly options: readonly ExportOption[];
  /**
   * What its rows or frames are; those that do not pass the filter of the panes are left out. Undefined: it has complete
   * stacks for other programs, whose parts must add up, or none.
   *
   *   methods   the lines of a split method are rows beside its own
   *   calls     a stack has the line of a split method in its place
   */
  readonly rows?: 'methods' | 'calls';
  /** Any of its lines are of use without those after them; else a part of it is of none. */
  readonly hasLines?: true;
  /** It is written from the times of single samples; the others sum samples, whenever they were taken. */
  readonly usesTimes?: true;
}

function text(
  label: string,
  extension: string,
  options: readonly ExportOption[],
  more: Partial<Pick<ExportFormat, 'mediaType' | 'rows' | 'usesTimes' | 'hasLines'>> = {},
): ExportFormat {
  return { label, extension, mediaType: 'text/plain', isBinary: false, options, ...more };
}

/** Text of which every line stands for itself. */
function lines(...[label, extension, options, more]: Parameters<typeof text>): ExportFormat {
  return text(label, extension, options, { ...more, hasLines: true });
}

function binary(label: string, extension: string, options: readonly ExportOption[]): ExportFormat {
  return { label, extension, mediaType: 'application/octet-stream', isBinary: true, options };
}

const FLAT: readonly ExportOption[] = ['frames', 'recursion', 'filter'];
const TREE: readonly ExportOption[] = ['frames', 'threads', 'filter'];
const METHOD_TREE: readonly ExportOption[] = [...TREE, 'recursion', 'method'];

/**
 * All export formats, in the order in which the command line lists them. The writers are in another file,
 * `write-export.ts`, so that code that only needs labels or file names does not load them.
 */
export const EXPORT_FORMATS = {
  lean: lines('Complete profile (text)', 'lean.txt', []),
  flat: lines('Methods (canonical text)', 'flat.txt', FLAT, { rows: 'methods' }),
  tree: lines('Call tree (text)', 'tree.txt', TREE, { rows: 'calls' }),
  'bottom-up': lines('Bottom-up tree (text)', 'bottom-up.txt', TREE, { rows: 'calls' }),
  callers: lines('Callers (text)', 'callers.txt', METHOD_TREE, { rows: 'calls' }),
  callees: lines('Callees (text)', 'callees.txt', METHOD_TREE, { rows: 'calls' }),
  collapsed: lines('Collapsed stacks', 'collapsed', [...TREE, 'metric']),
  svg: text('Flame graph (SVG)', 'svg', [...TREE, 'metric', 'title', 'drawing'], {
    mediaType: 'image/svg+xml',
    rows: 'calls',
  }),
  csv: lines('Methods (CSV)', 'csv', [...FLAT, 'metric'], { mediaType: 'text/csv', rows: 'methods' }),
  methods: lines('Methods (text)', 'methods.txt', [...FLAT, 'metric'], { rows: 'methods' }),
  timeline: lines('Samples over time (text)', 'timeline.txt', ['buckets'], { usesTimes: true }),
  hprof: binary('hprof', 'hprof', ['depth']),
  'hprof-text': text('hprof (text)', 'hprof.txt', ['depth']),
  trcbin: binary('TPTP trace', 'trcbin', []),
  speedscope: text('speedscope', 'speedscope.json', ['title'], { mediaType: 'application/json' }),
  pprof: binary('pprof', 'pprof', []),
  json: text('Profile (JSON)', 'profile.json', ['title'], { mediaType: 'application/json' }),
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatId = keyof typeof EXPORT_FORMATS;

export const EXPORT_FORMAT_IDS = Object.keys(EXPORT_FORMATS) as readonly ExportFormatId[];

/** The formats in the window's menu, in groups. */
export const EXPORT_MENU: readonly (readonly ExportFormatId[])[] = [
  ['svg', 'collapsed'],
  ['methods', 'csv', 'tree', 'bottom-up', 'lean', 'timeline'],
  ['pprof', 'speedscope', 'json', 'hprof', 'trcbin'],
];

/** What an export is for, and the formats for it, the usual one first. Each format is in one of them. */
export const EXPORT_PURPOSES: readonly {
  readonly purpose: string;
  readonly formats: readonly ExportFormatId[];
}[] = [
  { purpose: 'to read it', formats: ['methods', 'tree', 'bottom-up', 'callers', 'callees', 'timeline'] },
  { purpose: 'to share it', formats: ['svg', 'csv'] },
  {
    purpose: 'for another tool',
    formats: [
      ...(['collapsed', 'pprof', 'speedscope', 'json', 'hprof', 'hprof-text', 'trcbin'] as const),
      ...(['flat', 'lean'] as const),
    ],
  },
];

/** Ends of file names that other tools give to a format. */
const OTHER_EXTENSIONS: Readonly<Record<string, ExportFormatId | undefined>> = {
  folded: 'collapsed',
  pb: 'pprof',
  prof: 'pprof',
  json: 'json',
};

/**
 * The format that the name of a file asks for: `a.svg`, `a.folded`, `a.pb.gz`, `a.tree.txt`. Undefined if it names none, as
 * `a.txt`, which several have.
 */
export function formatOfFileName(name: string): ExportFormatId | undefined {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const whole = EXPORT_FORMAT_IDS.find((id) => plain.endsWith(`.${exportFormat(id).extension}`));
  const format = whole ?? OTHER_EXTENSIONS[/\.([^./\\]+)$/.exec(plain)?.[1] ?? ''];
  // The others are never written compressed.
  return plain.length < name.length && format !== 'pprof' ? undefined : format;
}

export function exportFormat(id: ExportFormatId): ExportFormat {
  return EXPORT_FORMATS[id];
}

export function formatsWith(option: ExportOption): readonly ExportFormatId[] {
  return EXPORT_FORMAT_IDS.filter((id) => exportFormat(id).options.includes(option));
}

const PACKED = /\.(?:gz|zip|tgz)$/i;
/** Extensions with two parts come first, so that all of `shop.speedscope.json` but `shop` is removed. */
const EXTENSION =
  /\.(?:(?:speedscope|profile)\.json|flame\.txt|collapsed\.txt|jstack\.txt|[a-z][a-z\d_-]{0,11})$/i;

/** The name of a file that is exported from a log: from `shop.hpl.gz` as `svg` it is `shop.svg`. */
export function exportFileName(logName: string, id: ExportFormatId): string {
  const stem = logName.replace(PACKED, '').replace(EXTENSION, '');
  return `${stem === '' ? 'profile' : stem}.${exportFormat(id).extension}`;
}
