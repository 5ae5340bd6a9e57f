import { SAMPLING_RANGES, type SamplingChoice, THREAD_STATES } from '../../shared/facts/recording-choice.ts';
import { type DumpSettings, dumpSettings } from '../jvm/dump-recording.ts';
import { integerValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';
import { timeValue } from './time-value.ts';

const DEFAULT_INTERVAL = '20ms';
const DEFAULT_SHARE = 1;
const MOST_DEPTH = SAMPLING_RANGES.depth.most;

/** How threads are sampled by thread dumps. */
export const SAMPLING_OPTIONS: OptionSpecs = {
  '--interval': {
    value: 'TIME',
    help: `dumps: the time between two of them (default ${DEFAULT_INTERVAL}); sampling ends when they have 2 GB`,
  },
  '--share': {
    value: 'PERCENT',
    help: `dumps: largest share of the JVM's time, percent (default ${DEFAULT_SHARE}); the interval grows if needed`,
  },
  '--depth': {
    value: 'N',
    help: 'dumps: keep the innermost N frames of each stack (default: all)',
  },
  '--thread': {
    value: 'NAME',
    repeatable: true,
    help: 'dumps: only threads with this name, pool (http-worker-*) or /regular expression/; dumps name no thread groups',
  },
  '--states': {
    value: 'STATE,…',
    help: `dumps: count threads in these states only: ${THREAD_STATES.join(', ')}`,
  },
};

/** A percentage, which may have decimals. */
function shareOf(args: ParsedArguments): number {
  const text = args.value('--share');
  if (text === undefined) return DEFAULT_SHARE;
  const { least, most } = SAMPLING_RANGES.sharePercent;
  const percent = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (percent >= least && percent <= most) return percent;
  throw new UsageError(`--share cannot be '${text}': it is a number from ${least} to ${most}`);
}

/** Settings from SAMPLING_OPTIONS. Throws UsageError. */
export function samplingOf(args: ParsedArguments): DumpSettings {
  const given = args.value('--states')?.split(',') ?? [];
  const known: readonly string[] = THREAD_STATES;
  const unknown = given.find((state) => !known.includes(state));
  if (unknown !== undefined)
    throw new UsageError(
      `--states cannot be '${unknown}': it is one or more of ${THREAD_STATES.join(', ')}${didYouMean(unknown, known)}`,
    );
  const choice: SamplingChoice = {
    intervalMs: timeValue(args, '--interval', DEFAULT_INTERVAL),
    sharePercent: shareOf(args),
    depth: args.has('--depth') ? integerValue(args, '--depth', 1, MOST_DEPTH, MOST_DEPTH) : undefined,
    threads: args.values('--thread'),
    // In the order in which the choice of states has them.
    states: THREAD_STATES.filter((state) => given.includes(state)),
  };
  try {
    return dumpSettings(choice);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--thread is no regular expression: ${error.message}`);
  }
}
