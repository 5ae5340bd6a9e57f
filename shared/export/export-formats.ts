import { assert } from '../assert.ts';
import { type OutputSink, type ExportInput, ExportBudget } from './export-input.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportOption, menuGroups, PURPOSES } from './export-list.ts';

export type ExportFormatId = (typeof EXPORT_FORMATS)[number]['id'];

export const EXPORT_FORMAT_IDS: readonly ExportFormatId[] = EXPORT_FORMATS.map(({ id }) => id);

export function exportFormat(id: ExportFormatId): ExportFormat {
  const format: ExportFormat | undefined = EXPORT_FORMATS.find((each) => each.id === id);
  assert(format !== undefined, 'each id is that of a format');
  return format;
}

/** The formats in the window's menu, in groups. */
export const EXPORT_MENU = menuGroups(EXPORT_FORMATS);

/** The media type of a file, with its charset if it is text. */
export function mediaTypeOf({ mediaType = 'text/plain' }: Pick<ExportFormat, 'mediaType'>): string {
  return isBinary({ mediaType }) ? mediaType : `${mediaType};charset=utf-8`;
}

/** It is written as bytes; the others are text. */
export function isBinary({ mediaType }: Pick<ExportFormat, 'mediaType'>): boolean {
  return mediaType === 'application/octet-stream';
}

export function formatsWith(option: ExportOption): readonly ExportFormatId[] {
  return EXPORT_FORMAT_IDS.filter((id) => exportFormat(id).options.includes(option));
}

/**
 * Writes a profile. Returns what was left out or rounded, as phrases, and where it stopped if `budget` is spent. Throws
 * ExportRefusal before anything is written, or where only a part could be, in a format that needs all of it.
 */
export type WriteExport = (input: ExportInput, sink: OutputSink, budget?: ExportBudget) => readonly string[];

export async function loadExport(id: ExportFormatId): Promise<WriteExport> {
  const format = exportFormat(id);
  const write = await format.load();
  return (input, sink, budget = new ExportBudget()) => {
    const notes: string[] = [];
    budget.spend(format, sink, (limited) =>
      write(input, limited, (count, note) => {
        if (count > 0) notes.push(note(count));
      }),
    );
    return budget.stopped === undefined ? notes : [...notes, budget.stopped];
  };
}

/** The purposes of an export, and the formats for each, the usual one first. */
export const EXPORT_PURPOSES = PURPOSES.map((purpose) => ({
  purpose,
  formats: EXPORT_FORMAT_IDS.map(exportFormat)
    .filter((format) => format.purpose[0] === purpose)
    .sort((a, b) => a.purpose[1] - b.purpose[1]),
}));

/**
 * The format that the name of a file asks for: `a.svg`, `a.folded`, `a.pb.gz`, `a.tree.txt`. Undefined if it names none, as
 * `a.txt`, which several have.
 */
export function formatOfFileName(name: string): ExportFormatId | undefined {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const end = /\.([^./\\]+)$/.exec(plain)?.[1] ?? '';
  const format =
    EXPORT_FORMAT_IDS.find((id) => plain.endsWith(`.${exportFormat(id).extension}`)) ??
    EXPORT_FORMAT_IDS.find((id) => exportFormat(id).otherExtensions?.includes(end));
  // The others are never written compressed.
  return plain.length < name.length && format !== 'pprof' ? undefined : format;
}

const PACKED = /\.(?:gz|zip|tgz)$/i;
/** Extensions with two parts come first, so that all of `shop.speedscope.json` but `shop` is removed. */
const EXTENSION =
  /\.(?:(?:speedscope|profile)\.json|flame\.txt|collapsed\.txt|jstack\.txt|[a-z][a-z\d_-]{0,11})$/i;

/** The name of a file that is made from a log: from `shop.hpl.gz` with the extension `svg` it is `shop.svg`. */
export function exportFileName(logName: string, { extension }: { readonly extension: string }): string {
  const stem = logName.replace(PACKED, '').replace(EXTENSION, '');
  return `${stem === '' ? 'profile' : stem}.${extension}`;
}
