import type { DumpSettings } from '../jvm/dump-recording.ts';
import { integerValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
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

/** Throws UsageError. */
export function samplingOf(args: ParsedArguments): DumpSettings {
  return {
    intervalMs: timeValue(args, '--interval', DEFAULT_INTERVAL),
    mostShare: integerValue(args, '--share', 1, 100, DEFAULT_SHARE) / 100,
    depth: args.has('--depth') ? integerValue(args, '--depth', 1, MOST_DEPTH, MOST_DEPTH) : undefined,
  };
}
