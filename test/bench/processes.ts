/** Processes measured from start to exit, from outside. */
import { spawnSync } from 'node:child_process';
import { COMMAND } from './checkout.ts';
import { median } from './median.ts';

export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  /** Expected exit status; default 0. */
  readonly status?: number;
}

export interface ProcessRun {
  /** Wall clock from before its start to after its end. */
  readonly seconds: number;
  readonly stdout: string;
}

export interface MemoryRun extends ProcessRun {
  /** Peak memory of the process, bytes (`maxrss`). */
  readonly memory: number;
}

/** Printed by the process itself on exit. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("maxrss="+process.resourceUsage().maxRSS))';

/** The built command. */
export function leanscope(...args: readonly string[]): Program {
  return { program: process.execPath, args: [COMMAND, ...args] };
}

/** `sha256sum` of a file, or `shasum` on macOS. */
export function checksum(file: string): Program {
  hasSha256sum ??= spawnSync('sha256sum', ['--version']).error === undefined;
  return hasSha256sum
    ? { program: 'sha256sum', args: [file] }
    : { program: 'shasum', args: ['-a', '256', file] };
}

let hasSha256sum: boolean | undefined;

/** Runs a program to its end. Throws with its output when it fails. */
export function run(program: Program, stdin?: Uint8Array): ProcessRun {
  const { seconds, stdout } = runTelling(program, stdin);
  return { seconds, stdout };
}

/** Runs a Node program that prints its peak memory on exit, which makes it some milliseconds longer. */
export function runTellingMemory({ program, args, status }: Program): MemoryRun {
  const { seconds, stdout, stderr } = runTelling({
    program,
    args: ['--import', TELL_MEMORY, ...args],
    ...(status === undefined ? {} : { status }),
  });
  const kibibytes = /maxrss=(\d+)/.exec(stderr)?.[1];
  if (kibibytes === undefined) throw new Error(`${program} ${args.join(' ')} did not tell its memory`);
  return { seconds, stdout, memory: Number(kibibytes) * 1024 };
}

/**
 * Runs the programs in turn, `rounds` times, after one round that only warms the page cache: a busy machine or a
 * changing clock then affects neighbouring runs alike. Seconds of the single runs, by program.
 */
export function alternate(rounds: number, programs: readonly Program[]): number[][] {
  for (const program of programs) run(program);
  const seconds = programs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    programs.forEach((program, at) => seconds[at].push(run(program).seconds));
  }
  return seconds;
}

/** Median of the ratios of neighbours: steadier than the ratio of medians on a machine whose speed drifts. */
export function medianRatio(of: readonly number[], to: readonly number[]): number {
  return median(of.map((value, at) => value / to[at]));
}

function runTelling(
  { program, args, status: expected = 0 }: Program,
  stdin?: Uint8Array,
): ProcessRun & { readonly stderr: string } {
  const startedAt = performance.now();
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    input: stdin,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (error !== undefined || status !== expected) {
    const why = error?.message ?? `status ${status ?? signal ?? 'unknown'}`;
    throw new Error(`${program} ${args.join(' ')}: ${why} ${stderr.trim()}`);
  }
  return { seconds, stdout, stderr };
}
