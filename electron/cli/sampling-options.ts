import { threadTest } from '../../shared/scope/thread-test.ts';
import { wholePool } from '../../shared/scope/thread-pattern.ts';
import { memberOfPool } from '../../shared/trees/thread-pools.ts';
import type { DumpSettings } from '../jvm/dump-recording.ts';
import { integerValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { timeValue } from './time-value.ts';

const DEFAULT_INTERVAL = '20ms';
const DEFAULT_SHARE = 1;
/** A HotSpot JVM writes at most so many frames unless it was started with MaxJavaStackTraceDepth. */
const MOST_DEPTH = 100_000;

/** How threads are sampled by thread dumps. */
export const SAMPLING_OPTIONS: OptionSpecs = {
  '--interval': {
    value: 'TIME',
    help: `dumps: the time between two of them (default ${DEFAULT_INTERVAL})`,
  },
  '--share': {
    value: 'PERCENT',
    help: `dumps: the most of the JVM's time that they may take (default ${DEFAULT_SHARE}); they come less often if needed`,
  },
  '--depth': {
    value: 'N',
    help: 'dumps: keep the innermost N frames of each stack (default: all)',
  },
};

const STATES = ['RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING'];

/** What of the dumps is shown, for a command that does not write them. */
export const SHOWN_OPTIONS: OptionSpecs = {
  '--threads': {
    value: 'NAME',
    repeatable: true,
    help: 'dumps: only threads of this name; a pool as http-worker-*, or /…/, a regular expression',
  },
  '--states': {
    value: 'STATE,…',
    help: `dumps: count threads in these states only: ${STATES.join(', ')}; the window can change it`,
  },
};

/** With the values of SHOWN_OPTIONS. Throws UsageError. */
export function shownSamplingOf(args: ParsedArguments): DumpSettings {
  const states = args.value('--states');
  const unknown = states?.split(',').find((state) => !STATES.includes(state));
  if (unknown !== undefined)
    throw new UsageError(`--states cannot be '${unknown}': it is one or more of ${STATES.join(', ')}`);
  return {
    ...samplingOf(args),
    wants: threadsOf(args.values('--threads')),
    chosen: states === undefined ? undefined : { state: states },
  };
}

function threadsOf(names: readonly string[]): DumpSettings['wants'] {
  if (names.length === 0) return undefined;
  const entries = names.map((name) => {
    const member = memberOfPool(name);
    return member === undefined ? name : wholePool(member);
  });
  try {
    return threadTest(entries);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--threads is no regular expression: ${reason}`);
  }
}

/** Throws UsageError. */
export function samplingOf(args: ParsedArguments): DumpSettings {
  return {
    intervalMs: timeValue(args, '--interval', DEFAULT_INTERVAL),
    mostShare: integerValue(args, '--share', 1, 100, DEFAULT_SHARE) / 100,
    depth: args.has('--depth') ? integerValue(args, '--depth', 1, MOST_DEPTH, MOST_DEPTH) : undefined,
  };
}
