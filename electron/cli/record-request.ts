import {
  EXPORT_FORMAT_IDS,
  EXPORT_FORMATS,
  type ExportFormatId,
} from '../../shared/export/export-formats.ts';
import {
  choiceValue,
  integerValue,
  type OptionSpecs,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts';
import { UsageError } from './command-io.ts';
import { EXPORT_OPTIONS, exportRequest } from './export-request.ts';

const SOURCES = ['jfr', 'dumps'] as const;
const SETTINGS = ['default', 'profile'] as const;
const DEFAULT_DURATION = '30s';
const DEFAULT_INTERVAL = '20ms';
const DEFAULT_SHARE = 1;
/** Options that say how to record. All others of `record` are those of `export`. */
const OWN_OPTIONS: OptionSpecs = {
  '-d': {
    value: 'TIME',
    help: `how long: 500ms, 30s, 5m, 1h (default ${DEFAULT_DURATION}); Ctrl+C ends it earlier`,
  },
  '--with': {
    value: SOURCES.join('|'),
    choices: SOURCES,
    help: 'jfr: a flight recording; dumps: thread dumps, for any HotSpot JVM (default jfr where possible)',
  },
  '--settings': {
    value: SETTINGS.join('|'),
    choices: SETTINGS,
    help: "jfr: the JDK's settings of this name (default profile: a sample every 10 or 20 ms)",
  },
  '--interval': {
    value: 'TIME',
    help: `dumps: the time between two of them (default ${DEFAULT_INTERVAL})`,
  },
  '--share': {
    value: 'PERCENT',
    help: `dumps: the most of the JVM's time that they may take (default ${DEFAULT_SHARE}); they come less often if needed`,
  },
};

export const RECORD_OPTIONS: OptionSpecs = {
  ...OWN_OPTIONS,
  ...EXPORT_OPTIONS,
  '--format': {
    value: `jfr|${EXPORT_FORMAT_IDS.join('|')}`,
    help: 'what to write (default by the extension of OUT)',
  },
  '-o': { value: 'OUT', help: 'the file to write; required' },
};

/** The parsed command line of `record`. */
export interface RecordRequest {
  /** A pid or a part of a name. */
  readonly jvm: string;
  readonly out: string;
  readonly durationMs: number;
  /** Undefined: what the JVM is capable of. */
  readonly source: (typeof SOURCES)[number] | undefined;
  readonly settings: (typeof SETTINGS)[number];
  readonly intervalMs: number;
  /** Above 0, at most 1. */
  readonly mostShare: number;
  /** Arguments of `export`, without its input; undefined for a recording as the JVM made it. */
  readonly exportArguments: readonly string[] | undefined;
}

/** Parses and checks the command line of `record`, before anything is done. Throws UsageError. */
export function recordRequest(argv: readonly string[]): RecordRequest {
  const args = parseArguments(argv, RECORD_OPTIONS);
  const [jvm, ...more] = args.files;
  if (args.files.length === 0) throw new UsageError('record needs a JVM: its pid, or a part of its name');
  if (more.length > 0) throw new UsageError(`record takes one JVM, not ${args.files.length}`);
  const out = args.value('-o');
  if (out === undefined || out === '-') throw new UsageError('record needs -o OUT, the file to write');
  const format = formatOf(args, out);
  const source = args.value('--with') === undefined ? undefined : choiceValue(args, '--with', SOURCES, 'jfr');
  if (format === 'jfr') {
    if (source === 'dumps')
      throw new UsageError('thread dumps cannot be written as .jfr; name another format');
    const wrong = args.inOrder.find(
      ({ option }) => option !== '--format' && option !== '-o' && !Object.hasOwn(OWN_OPTIONS, option),
    );
    if (wrong !== undefined)
      throw new UsageError(`${wrong.option} is not for a .jfr, which is written as the JVM made it`);
  }
  return {
    jvm,
    out,
    durationMs: timeValue(args, '-d', DEFAULT_DURATION),
    source,
    settings: choiceValue(args, '--settings', SETTINGS, 'profile'),
    intervalMs: timeValue(args, '--interval', DEFAULT_INTERVAL),
    mostShare: integerValue(args, '--share', 1, 100, DEFAULT_SHARE) / 100,
    exportArguments: format === 'jfr' ? undefined : exportArguments(args, format),
  };
}

/** The options of `export` among those of `record`. Throws UsageError if they do not fit together. */
function exportArguments(args: ParsedArguments, format: ExportFormatId): readonly string[] {
  const found = ['--format', format];
  for (const { option, value } of args.inOrder)
    if (option !== '--format' && Object.hasOwn(EXPORT_OPTIONS, option)) found.push(`${option}=${value}`);
  for (const [option, { value }] of Object.entries(EXPORT_OPTIONS))
    if (value === undefined && args.has(option)) found.push(option);
  exportRequest(parseArguments([...found, '--', 'recording'], EXPORT_OPTIONS));
  return found;
}

function formatOf(args: ParsedArguments, out: string): ExportFormatId | 'jfr' {
  const given = args.value('--format');
  const known = EXPORT_FORMAT_IDS.find((id) => id === given);
  if (given === 'jfr' || known !== undefined) return known ?? 'jfr';
  if (given !== undefined)
    throw new UsageError(`--format cannot be '${given}': it is one of jfr, ${EXPORT_FORMAT_IDS.join(', ')}`);
  const name = out.replace(/\.gz$/, '');
  if (name.endsWith('.jfr')) return 'jfr';
  const byExtension = EXPORT_FORMAT_IDS.find((id) => name.endsWith(`.${EXPORT_FORMATS[id].extension}`));
  if (byExtension !== undefined) return byExtension;
  const byEnd = EXPORT_FORMAT_IDS.find(
    (id) => EXPORT_FORMATS[id].extension.split('.').at(-1) === /\.([^./]+)$/.exec(name)?.[1],
  );
  if (byEnd !== undefined && !name.endsWith('.txt') && !name.endsWith('.json')) return byEnd;
  throw new UsageError(`the extension of ${out} names no format; add --format FORMAT`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The value of an option of time, in milliseconds; a number without a unit is seconds. Throws UsageError. */
function timeValue(args: ParsedArguments, option: string, otherwise: string): number {
  const text = args.value(option) ?? otherwise;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text);
  const ms = match === null ? 0 : Number(match[1]) * UNITS[match.at(2) ?? 's'];
  // A timer of Node holds 2^31 ms.
  if (!(ms > 0 && ms < 2 ** 31))
    throw new UsageError(`${option} cannot be '${text}': it is a time such as 500ms, 30s or 5m`);
  return ms;
}
