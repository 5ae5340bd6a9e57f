import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExportFormatId, exportFormat, formatOfFileName } from '../../shared/export/export-formats.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { DumpRecording, type DumpSettings } from '../recording/dump-recording.ts';
import type { SamplerCost } from '../recording/dump-sampler.ts';
import { RecordingFollower } from '../source/recording-follower.ts';
import { AttachedJvm, isRunning, jvmName } from '../jvm/attach.ts';
import { FlightRecorder, NoRecorderError } from '../recording/flight-recorder.ts';
import type { Jvm } from '../jvm/jvm.ts';
import { makeTemporaryFolder } from '../recording/recording-name.ts';
import { canRecord, type RecordingStart, startRecording } from '../recording/dumped-recording.ts';
import { formatBytes, formatSpan } from '../../shared/text/format-value.ts';
import { systemPath } from '../source/open-file.ts';
import { jvmLine } from './io/terminal-lines.ts';
import { type RecordedChunk, writeChunks } from '../source/recording-chunks.ts';
import { type CommandIo, CommandError, type ExitStatus, writeMessage } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import {
  exportRequest,
  type ExportRequest,
  FORMATS_BY_PURPOSE,
  noFormatText,
  writeRequested,
} from './export-command.ts';
import { jvmArgument, samplingOf, tellOtherTypes } from './jvms-command.ts';
import { type Arguments, readArguments, type ValuesOf } from './options/options.ts';
import { checkOutput, writeOutput } from './io/output.ts';

const MOST_NAME_CHARACTERS = 200;

type RecordArguments = Arguments<ValuesOf<typeof COMMANDS.record.options>>;

type RecordRequest = ReturnType<typeof recordRequest>;

/** Records a JVM for a while and writes a file. */
export async function recordCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const request = recordRequest(readArguments(argv, COMMANDS.record.options));
  checkOutput(request.out, io);
  const jvm = await jvmArgument(request.jvm);
  const source = await sourceOf(request, jvm, io);
  const { exported, out } = request;
  const replaces = isFile(out);
  if (io.showsProgress)
    writeMessage(
      io,
      `${jvmLine(jvm)}: ${source === 'jfr' ? 'recording' : 'sampling by thread dumps'} for ${formatSpan(request.durationMs * 1e6)} into ${out}; Ctrl+C ends it earlier`,
    );
  const record = async (path: string): Promise<void> => {
    const stop = stopAfter(request.durationMs);
    try {
      if (source === 'jfr') await writeFlight(jvm, request, path, stop, io);
      else await writeDumps(jvm, request, path, stop, io);
    } finally {
      stop.end();
    }
  };
  const status = exported === undefined ? await recordOnly() : await recordAndExport(exported);
  tellWritten(out, replaces, io);
  return status;

  async function recordOnly(): Promise<ExitStatus> {
    await record(out);
    return 0;
  }

  function recordAndExport(requestOf: (path: string) => ExportRequest): Promise<ExitStatus> {
    return inTemporaryFolder(async (folder) => {
      // An export is named after its recording; the name is cut to the longest that a file may have.
      const name = jvm.main.replaceAll(/[^\w.$-]/g, '_').slice(0, MOST_NAME_CHARACTERS);
      const recorded = join(folder, `${name}.${source === 'jfr' ? 'jfr' : 'txt'}`);
      await record(recorded);
      return writeRequested(requestOf(recorded), io);
    });
  }
}

function isFile(path: string): boolean {
  return statSync(systemPath(path), { throwIfNoEntry: false })?.isFile() === true;
}

/** Says what was written: on a terminal, and wherever another file is gone. */
function tellWritten(out: string, replaces: boolean, io: CommandIo): void {
  if (!io.showsProgress && !replaces) return;
  const size = isFile(out) ? `, ${formatBytes(statSync(systemPath(out)).size)}` : '';
  const next = io.showsProgress ? `; see what is hot with leanscope top ${out}` : '';
  writeMessage(io, `${out}: ${replaces ? 'replaced' : 'written'}${size}${next}`);
}

async function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder(tmpdir());
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sourceOf(
  { source, exported }: RecordRequest,
  jvm: Jvm,
  io: CommandIo,
): Promise<'jfr' | 'dumps'> {
  if (source === 'dumps') return source;
  const why = await noRecorderReason(jvm);
  if (why === undefined) return 'jfr';
  if (source === 'jfr') throw new CommandError(`${jvmName(jvm)}: ${why}; record it --with dumps`);
  if (exported === undefined) throw new UsageError(`${why}, so there is no .jfr; name another format`);
  writeMessage(io, `${jvmName(jvm)}: ${why}: sampling by thread dumps`);
  return 'dumps';
}

/** Why a JVM has no flight recordings, as a clause; undefined if it has. Rejects with AttachError. */
async function noRecorderReason(jvm: Jvm): Promise<string | undefined> {
  if (!canRecord(jvm)) return `Java ${jvm.version ?? 'of an unknown version'} has no flight recordings`;
  try {
    await new FlightRecorder(await AttachedJvm.open(jvm)).list();
    return undefined;
  } catch (error) {
    if (error instanceof NoRecorderError) return NoRecorderError.reason;
    throw error;
  }
}

async function writeFlight(
  jvm: Jvm,
  { recording }: RecordRequest,
  path: string,
  stop: RecordingEnd,
  io: CommandIo,
): Promise<void> {
  tellOtherTypes(recording, jvm, io);
  const recorded = await recordFlight(jvm, recording, stop);
  try {
    const { chunks, hasJvmEnded } = recorded;
    if (chunks.length === 0)
      throw new CommandError(`${jvmName(jvm)}: has written nothing yet; record it for longer`);
    await writeOutput(path, [], io, (sink) => writeChunks(chunks, (bytes) => sink(bytes, 1)));
    if (hasJvmEnded) writeMessage(io, `${jvmName(jvm)}: has ended; what it had written is recorded`);
  } finally {
    recorded.close();
  }
}

async function writeDumps(
  jvm: Jvm,
  { sampling }: RecordRequest,
  path: string,
  stop: RecordingEnd,
  io: CommandIo,
): Promise<void> {
  const { cost, ended } = await recordDumps(jvm, path, sampling, stop);
  const { dumps, elapsedMs, stoppedMs, longestMs } = cost;
  if (dumps === 0)
    throw new CommandError(`${jvmName(jvm)}: gave no thread dump${ended === undefined ? '' : `: ${ended}`}`);
  if (ended !== undefined) writeMessage(io, `${jvmName(jvm)}: ${ended}; what was sampled before is recorded`);
  const rate = (dumps / elapsedMs) * 1000;
  writeMessage(
    io,
    `${jvmName(jvm)}: ${dumps} thread dumps in ${(elapsedMs / 1000).toFixed(1)} s, ${rate.toFixed(1)} a second` +
      ` (wanted ${(1000 / sampling.intervalMs).toFixed(1)}); each stopped it for ${(stoppedMs / dumps).toFixed(1)} ms,` +
      ` at most ${longestMs.toFixed(1)} ms, ${((100 * stoppedMs) / elapsedMs).toFixed(2)} % of its time;` +
      ' threads were sampled at safepoints only',
  );
}

/**
 * A signal that is aborted this long after `begin`, or at the first SIGINT, SIGTERM or SIGHUP. A second such signal ends
 * the process.
 */
function stopAfter(ms: number): RecordingEnd {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  let timer: NodeJS.Timeout | undefined;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: stop.signal,
    begin: () => {
      timer ??= setTimeout(abort, ms);
    },
    end: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, abort);
    },
  };
}

// ---- The recording ----

const POLL_MS = 100;
/** Polls after the end of the recording, in which its last chunk must become finished. */
const LAST_POLLS = 50;

/** Nobody looks at the recording meanwhile, and each dump is a file. */
const DUMP_EVERY_MS = 30_000;

/** When a recording ends. */
export interface RecordingEnd {
  readonly signal: AbortSignal;
  /** The recording has begun. */
  readonly begin: () => void;
  readonly end: () => void;
}

interface RecordedFlight {
  /** The recording, as long as it is not closed. */
  readonly chunks: readonly RecordedChunk[];
  readonly hasJvmEnded: boolean;
  close(): void;
}

/**
 * Starts a flight recording, follows it until `signal` is aborted or the JVM ends, and stops it. Throws AttachError if
 * it cannot be started.
 */
export async function recordFlight(
  jvm: Jvm,
  options: Pick<RecordingStart, 'settings' | 'types'>,
  { signal, begin }: RecordingEnd,
): Promise<RecordedFlight> {
  const recording = await startRecording(jvm, { ...options, dumpEveryMs: DUMP_EVERY_MS });
  begin();
  const { folder, leftOut } = recording;
  const follower = new RecordingFollower(
    { folder, leftOut },
    // All of it is written at the end.
    { bytes: Infinity, files: Infinity },
  );
  try {
    while (!signal.aborted && isRunning(jvm)) {
      readAll(follower);
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    const hasJvmEnded = !isRunning(jvm);
    // The files are open, so that they can be read after the JVM has removed them.
    readAll(follower);
    follower.until = BigInt(Date.now()) * 1_000_000n;
    await recording.stop();
    for (let poll = 0; poll < LAST_POLLS; poll++) {
      readAll(follower);
      if (hasJvmEnded || follower.isFinished) break;
      await pause(POLL_MS);
    }
    return {
      chunks: follower.chunks,
      hasJvmEnded,
      close: () => {
        follower.close();
        recording.discard();
      },
    };
  } catch (error) {
    follower.close();
    recording.discard();
    throw error;
  } finally {
    await recording.stop();
  }
}

/** Keeps open what there is of it. */
function readAll(follower: RecordingFollower): void {
  while (typeof follower.next() !== 'string') continue;
}

/**
 * Samples a JVM by thread dumps into a file, until `signal` is aborted or it ends. Resolves to what it has cost, and why
 * sampling has ended before the signal, a clause. Throws AttachError.
 */
async function recordDumps(
  jvm: Jvm,
  path: string,
  settings: DumpSettings,
  { signal, begin }: RecordingEnd,
): Promise<{ readonly cost: SamplerCost; readonly ended: string | undefined }> {
  const recording = await DumpRecording.start(jvm, path, settings);
  const { sampler } = recording;
  try {
    begin();
    const stop = (): void => void sampler.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await sampler.whenEnded;
    return { cost: sampler.cost, ended: sampler.ended };
  } finally {
    await recording.close();
  }
}

// ---- The command line ----

/** Checks the command line of `record`, before anything is done. Throws UsageError. */
function recordRequest(args: RecordArguments) {
  const { files, values } = args;
  const [jvm, ...more] = files;
  if (files.length === 0) throw new UsageError('record needs a JVM: its pid, or a part of its name');
  if (more.length > 0) throw new UsageError(`record takes one JVM, not ${files.length}`);
  const { output: out, with: given, settings, types } = values;
  if (out === undefined || out === '-') throw new UsageError('record needs -o OUT, the file to write');
  const format = values.format ?? formatOf(out);
  const source = format === 'dumps' ? (given ?? 'dumps') : given;
  if (format === 'jfr' && source === 'dumps')
    throw new UsageError('thread dumps cannot be written as .jfr; name another format');
  if (format === 'dumps' && source === 'jfr')
    throw new UsageError('a flight recording has no thread dumps; record it --with dumps');
  if (types !== undefined && source === 'dumps')
    throw new UsageError('--types is for flight recordings; thread dumps have all threads, --states chooses');
  if (values.states !== undefined) {
    if (source !== 'dumps') throw new UsageError('--states is for thread dumps; add --with dumps');
    if (format === 'dumps')
      throw new UsageError('--states is not for thread dumps as the JVM made them: these have all states');
  }
  const request = {
    jvm,
    out,
    durationMs: values.duration,
    source,
    recording: { settings, types },
    sampling: samplingOf(values),
  };
  if (format === 'jfr' || format === 'dumps') {
    refuseExportOptions(args, format);
    return { ...request, exported: undefined };
  }
  const exported = (path: string): ExportRequest => exportOf(args, format, request.sampling, path);
  // Checks that the options fit together.
  exported('recording');
  return { ...request, exported };
}

/** Throws UsageError for an option of an export where a file is written as the JVM made it. */
function refuseExportOptions({ has }: RecordArguments, format: 'jfr' | 'dumps'): void {
  const names = Object.keys(COMMANDS.export.options) as (keyof typeof COMMANDS.export.options)[];
  const wrong = names.find((option) => {
    if (!has(option) || option === 'format' || option === 'output') return false;
    // Dumps are sampled with these.
    return option === 'thread' ? format === 'jfr' : option !== 'depth';
  });
  if (wrong === undefined) return;
  const [what, made] = format === 'jfr' ? ['a .jfr, which is', 'it'] : ['thread dumps, which are', 'them'];
  throw new UsageError(`--${wrong} is not for ${what} written as the JVM made ${made}`);
}

/** The export of a file that was recorded. Throws UsageError if its options do not fit together. */
function exportOf(
  args: RecordArguments,
  format: ExportFormatId,
  { chosen }: DumpSettings,
  path: string,
): ExportRequest {
  const { values } = args;
  // For other formats it is an option of the sampling.
  const takesDepth = exportFormat(format).options.includes('depth');
  const depth = takesDepth && values.depth !== undefined ? [String(values.depth)] : [];
  return exportRequest({
    ...args,
    files: [path],
    values: {
      ...values,
      format,
      choose: { ...values.choose, ...chosen },
      depth: COMMANDS.export.options.depth.read(depth, '--depth'),
    },
    has: (option) => args.has(option) && (takesDepth || option !== 'depth'),
  });
}

function formatOf(out: string): ExportFormatId | 'jfr' | 'dumps' {
  const name = out.replace(/\.gz$/, '');
  if (name.endsWith('.jfr')) return 'jfr';
  if (name.endsWith('.tdump')) return 'dumps';
  const byName = formatOfFileName(out);
  if (byName !== undefined) return byName;
  throw new UsageError(
    `${noFormatText(out)}; as the JVM makes it: jfr, dumps (.tdump); ${FORMATS_BY_PURPOSE}`,
  );
}
