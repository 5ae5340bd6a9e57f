import { ERROR_NAMES } from '../../shared/formats/honest-log/records.ts';
import { NONE } from '../../shared/profile/columns.ts';
import {
  formatBytes,
  formatCount,
  formatQuantity,
  formatShare,
  formatSpan,
} from '../../shared/text/format-value.ts';
import { type OptionSpecs, oneFile, parseArguments } from './arguments.ts';
import type { CommandIo, ExitStatus } from './command-io.ts';
import { inputName, type ReadProfile, readProfile } from './read-profile.ts';

export const SUMMARY_OPTIONS: OptionSpecs = {
  '--json': { help: 'as one line of JSON with stable names' },
};

/** What a log holds and how healthy it is: the contract of `summary --json` (specs: cli). */
export interface Summary {
  readonly file: string;
  readonly format: string;
  /** Bytes of the log, unpacked: accepted + skipped + pending. */
  readonly bytes: number;
  readonly acceptedBytes: number;
  readonly skippedBytes: number;
  readonly pendingBytes: number;
  /** Bytes of the file as it is stored. */
  readonly fileBytes: number;
  readonly gzip: boolean;
  /** Trace starts. */
  readonly samples: number;
  /** Frame records. */
  readonly frames: number;
  /** Traces whose stack is an AsyncGetCallTrace error instead. */
  readonly pseudoFrames: number;
  /** Call nodes, without the threads' roots. */
  readonly nodes: number;
  readonly threads: number;
  /** Method ids that the log defines. */
  readonly methods: number;
  /** Record type -> records. */
  readonly records: Readonly<Record<string, number>>;
  /** AsyncGetCallTrace code -> samples. */
  readonly errorSamples: Readonly<Record<string, number>>;
  /** ns since the epoch of the first and last trace start in file order, decimal; null when the log has no times. */
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly spanSeconds: number | null;
  readonly backwardSteps: number;
  readonly deepestStack: number;
  readonly damage: {
    readonly what: string;
    readonly byteOffset: number;
    readonly record: number;
    readonly found: string;
    readonly expected: string;
  } | null;
  /** The file's compression broke off: offset in the stored file. */
  readonly gzipDamage: { readonly byteOffset: number; readonly found: string } | null;
}

export async function summaryCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, SUMMARY_OPTIONS);
  const path = oneFile('summary', args);
  const read = await readProfile(path, io);
  const summary = summarise(path, read);
  io.stdout(args.has('--json') ? `${JSON.stringify(summary)}\n` : summaryText(summary));
  for (const problem of read.problems) io.stderr(`${problem}\n`);
  return read.status;
}

export function summarise(path: string, { format, input, decoder, aggregator }: ReadProfile): Summary {
  const { counts, clock, bytes, damage } = decoder;
  const { threads, methods, nodes } = aggregator.profile;
  const errorCodes = [...counts.errorTraces].sort(([a], [b]) => b - a);
  const { firstTime, lastTime } = clock;
  let roots = 0;
  for (let thread = 0; thread < threads.length; thread++) if (threads.root[thread] !== NONE) roots++;
  return {
    file: path,
    format,
    bytes: bytes.accepted + bytes.skipped + bytes.pending,
    acceptedBytes: bytes.accepted,
    skippedBytes: bytes.skipped,
    pendingBytes: bytes.pending,
    fileBytes: input.fileBytes,
    gzip: input.gzip,
    samples: counts.traceStarts,
    frames: counts.frameRecords,
    pseudoFrames: errorCodes.reduce((sum, [, traces]) => sum + traces, 0),
    nodes: nodes.length - roots,
    threads: threads.length,
    methods: methods.names.filter((names) => names !== undefined).length - pseudoMethods(errorCodes),
    records: recordCounts(counts),
    errorSamples: Object.fromEntries(errorCodes),
    firstTime: firstTime === undefined ? null : String(firstTime),
    lastTime: lastTime === undefined ? null : String(lastTime),
    spanSeconds:
      firstTime === undefined || lastTime === undefined ? null : Number(lastTime - firstTime) / 1e9,
    backwardSteps: clock.backwardSteps,
    deepestStack: aggregator.deepestStack,
    damage: damage ?? null,
    gzipDamage:
      input.gzipDamage === undefined
        ? null
        : { byteOffset: input.gzipDamage.byteOffset, found: input.gzipDamage.found },
  };
}

/** Methods that the decoder defines: one per error code that AsyncGetCallTrace knows, and per unknown one met. */
function pseudoMethods(errorCodes: readonly (readonly [code: number, traces: number])[]): number {
  return ERROR_NAMES.length + errorCodes.filter(([code]) => -code >= ERROR_NAMES.length).length;
}

function recordCounts(counts: ReadProfile['decoder']['counts']): Record<string, number> {
  const all: Record<string, number> = {
    '1': counts.traceStarts - counts.timedTraceStarts,
    '2': counts.bciOnlyFrames,
    '3': counts.methodRecords - counts.signedMethods,
    '4': counts.threadRecords,
    '11': counts.timedTraceStarts,
    '21': counts.frameRecords - counts.bciOnlyFrames,
    '31': counts.signedMethods,
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

export function summaryText(summary: Summary): string {
  const rows: [label: string, value: string][] = [
    ['file', inputName(summary.file)],
    ['format', 'Honest Profiler log' + (summary.gzip ? `, gzip of ${formatBytes(summary.fileBytes)}` : '')],
    ['bytes', bytesText(summary)],
    ['samples', formatCount(summary.samples)],
    ['time', timeText(summary)],
    ['threads', formatCount(summary.threads)],
    ['methods', formatCount(summary.methods)],
    [
      'stacks',
      `${formatQuantity(summary.frames, 'frame')}, ${formatQuantity(summary.nodes, 'call node')}, deepest ${formatCount(summary.deepestStack)}`,
    ],
    ['errors', errorText(summary)],
  ];
  if (summary.damage !== null) {
    const { what, byteOffset, record, found, expected } = summary.damage;
    rows.push(['damage', `${what} at byte ${byteOffset} (record ${record}): ${found}, expected ${expected}`]);
  }
  if (summary.gzipDamage !== null) {
    rows.push(['damage', `the compression breaks off at byte ${summary.gzipDamage.byteOffset} of the file`]);
  }
  return rows.map(([label, value]) => `${label.padEnd(9)}${value}\n`).join('');
}

function bytesText(summary: Summary): string {
  const parts = [formatCount(summary.bytes)];
  if (summary.acceptedBytes < summary.bytes) parts.push(`${formatCount(summary.acceptedBytes)} accepted`);
  if (summary.skippedBytes > 0) parts.push(`${formatCount(summary.skippedBytes)} skipped`);
  if (summary.pendingBytes > 0) parts.push(`${formatCount(summary.pendingBytes)} pending (not written yet)`);
  return parts.join(', ');
}

function timeText({ firstTime, lastTime, backwardSteps }: Summary): string {
  if (firstTime === null || lastTime === null) return 'none in this log';
  const span = formatSpan(Number(BigInt(lastTime) - BigInt(firstTime)));
  const steps = backwardSteps === 0 ? '' : `, ${formatQuantity(backwardSteps, 'step')} backward`;
  return `${span} from ${dateText(firstTime)}${steps}`;
}

/** UTC, since a log does not say where it was written; the plain number for what is no date. */
function dateText(ns: string): string {
  const date = new Date(Number(BigInt(ns) / 1_000_000n));
  return Number.isNaN(date.getTime()) ? `${ns} ns` : date.toISOString();
}

function errorText({ errorSamples, pseudoFrames, samples }: Summary): string {
  if (pseudoFrames === 0) return 'none';
  const codes = Object.entries(errorSamples)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${ERROR_NAMES[-Number(code)] ?? `code ${code}`} ${formatCount(count)}`);
  return `${formatQuantity(pseudoFrames, 'sample')} (${formatShare(pseudoFrames, samples, 1)}): ${codes.join(', ')}`;
}
