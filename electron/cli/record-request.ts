import {
  EXPORT_FORMAT_IDS,
  EXPORT_FORMATS,
  type ExportFormatId,
  formatOfFileName,
} from '../../shared/export/export-formats.ts';
import { NOTHING_CHOSEN } from '../../shared/facts/choice.ts';
import {
  choiceValue,
  type OptionSpecs,
  type ParsedArguments,
  parseArguments,
  wrongChoice,
} from './arguments.ts';
import { UsageError } from './command-io.ts';
import { RECORDING_OPTIONS, recordingOf, type RecordingOptions } from './recording-options.ts';
import { SAMPLING_OPTIONS, samplingOf } from './sampling-options.ts';
import type { DumpSettings } from '../jvm/dump-recording.ts';
import { timeValue } from './time-value.ts';
import { EXPORT_OPTIONS, exportRequest, FORMATS_BY_PURPOSE, noFormatText } from './export-request.ts';

const SOURCES = ['jfr', 'dumps'] as const;
const DEFAULT_DURATION = '30s';
/** Options that say how to record. All others of `record` are those of `export`. */
const OWN_OPTIONS: OptionSpecs = {
  '-d': {
    value: 'TIME',
    also: '--duration',
    help: `how long: 500ms, 30s, 5m, 1h (default ${DEFAULT_DURATION}); Ctrl+C ends it earlier`,
  },
  '--with': {
    value: SOURCES.join('|'),
    choices: SOURCES,
    help: 'jfr: a flight recording; dumps: thread dumps, for any HotSpot JVM (default jfr where possible)',
  },
  ...RECORDING_OPTIONS,
  ...SAMPLING_OPTIONS,
};

export const RECORD_OPTIONS: OptionSpecs = {
  ...OWN_OPTIONS,
  ...EXPORT_OPTIONS,
  '--format': {
    also: '-f',
    value: `jfr|dumps|${EXPORT_FORMAT_IDS.join('|')}`,
    help: 'what to write (default by the extension of OUT)',
  },
  '-o': { value: 'OUT', also: '--output', help: 'the file to write; required' },
  '--depth': { value: 'N', help: 'dumps, hprof: keep the innermost N frames of each stack (default: all)' },
};

/** The parsed command line of `record`. */
export interface RecordRequest {
  /** A pid or a part of a name. */
  readonly jvm: string;
  readonly out: string;
  readonly durationMs: number;
  /** Undefined: what the JVM is capable of. */
  readonly source: (typeof SOURCES)[number] | undefined;
  readonly recording: RecordingOptions;
  readonly sampling: DumpSettings;
  /** Arguments of `export`, without its input; undefined for a recording or dumps as the JVM made them. */
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
  const given = args.value('--with') === undefined ? undefined : choiceValue(args, '--with', SOURCES, 'jfr');
  const source = format === 'dumps' ? (given ?? 'dumps') : given;
  if (format === 'jfr' && source === 'dumps')
    throw new UsageError('thread dumps cannot be written as .jfr; name another format');
  if (format === 'dumps' && source === 'jfr')
    throw new UsageError('a flight recording has no thread dumps; record it --with dumps');
  if (args.has('--types') && source === 'dumps')
    throw new UsageError('--types is for flight recordings; thread dumps have all threads, --states chooses');
  if (args.has('--states')) {
    if (source !== 'dumps') throw new UsageError('--states is for thread dumps; add --with dumps');
    if (format === 'dumps')
      throw new UsageError('--states is not for thread dumps as the JVM made them: these have all states');
  }
  if (format === 'jfr' || format === 'dumps') {
    const wrong = Object.keys(EXPORT_OPTIONS).find((option) => {
      if (!args.has(option) || option === '--format' || option === '-o') return false;
      return !Object.hasOwn(OWN_OPTIONS, option) || (format === 'jfr' && option === '--thread');
    });
    if (wrong !== undefined)
      throw new UsageError(
        `${wrong} is not for ${format === 'jfr' ? 'a .jfr, which is' : 'thread dumps, which are'} written as the JVM made ${format === 'jfr' ? 'it' : 'them'}`,
      );
  }
  const sampling = samplingOf(args);
  return {
    jvm,
    out,
    durationMs: timeValue(args, '-d', DEFAULT_DURATION),
    source,
    recording: recordingOf(args),
    sampling,
    exportArguments:
      format === 'jfr' || format === 'dumps' ? undefined : exportArguments(args, format, sampling),
  };
}

/** The options of `export` among those of `record`. Throws UsageError if they do not fit together. */
function exportArguments(
  args: ParsedArguments,
  format: ExportFormatId,
  { chosen = NOTHING_CHOSEN }: DumpSettings,
): readonly string[] {
  const found = ['--format', format];
  const takesDepth = EXPORT_FORMATS[format].options.includes('depth');
  for (const { option, value } of args.inOrder) {
    // Otherwise it is an option of the sampling.
    if (option === '--format' || (option === '--depth' && !takesDepth)) continue;
    if (Object.hasOwn(EXPORT_OPTIONS, option)) found.push(`${option}=${value}`);
  }
  for (const [choice, value] of Object.entries(chosen)) found.push(`--choose=${choice}=${value}`);
  for (const [option, { value }] of Object.entries(EXPORT_OPTIONS))
    if (value === undefined && args.has(option)) found.push(option);
  exportRequest(parseArguments([...found, '--', 'recording'], EXPORT_OPTIONS));
  return found;
}

function formatOf(args: ParsedArguments, out: string): ExportFormatId | 'jfr' | 'dumps' {
  const given = args.value('--format');
  const known = EXPORT_FORMAT_IDS.find((id) => id === given);
  if (given === 'jfr' || given === 'dumps') return given;
  if (known !== undefined) return known;
  if (given !== undefined)
    throw new UsageError(wrongChoice('--format', given, ['jfr', 'dumps', ...EXPORT_FORMAT_IDS]));
  const name = out.replace(/\.gz$/, '');
  if (name.endsWith('.jfr')) return 'jfr';
  if (name.endsWith('.tdump')) return 'dumps';
  const byName = formatOfFileName(out);
  if (byName !== undefined) return byName;
  throw new UsageError(
    `${noFormatText(out)}; as the JVM makes it: jfr, dumps (.tdump); ${FORMATS_BY_PURPOSE}`,
  );
}
