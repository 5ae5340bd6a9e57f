import { type SamplingChoice, SAMPLING_RANGES, THREAD_STATES } from '../../shared/facts/sampling-choice.ts';
import type { DumpSettings } from '../jvm/dump-recording.ts';
import { dumpSettings } from '../jvm/dump-settings.ts';
import { integerValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { timeValue } from './time-value.ts';

const DEFAULT_INTERVAL = '20ms';
const DEFAULT_SHARE = 1;
const MOST_DEPTH = SAMPLING_RANGES.depth.most;

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

/** What of the dumps is shown, for a command that does not write them. */
export const SHOWN_OPTIONS: OptionSpecs = {
  '--threads': {
    value: 'NAME',
    repeatable: true,
    help: 'dumps: only threads of this name; a pool as http-worker-*, or /…/, a regular expression',
  },
  '--states': {
    value: 'STATE,…',
    help: `dumps: count threads in these states only: ${THREAD_STATES.join(', ')}; the window can change it`,
  },
};

/** With the values of SHOWN_OPTIONS. Throws UsageError. */
export function shownSamplingOf(args: ParsedArguments): DumpSettings {
  const given = args.value('--states')?.split(',') ?? [];
  const states = given.map((state) => {
    const known = THREAD_STATES.find((each) => each === state);
    if (known !== undefined) return known;
    throw new UsageError(`--states cannot be '${state}': it is one or more of ${THREAD_STATES.join(', ')}`);
  });
  return settingsOf(args, { threads: args.values('--threads'), states });
}

/** Throws UsageError. */
export function samplingOf(args: ParsedArguments): DumpSettings {
  return settingsOf(args, { threads: [], states: [] });
}

function settingsOf(args: ParsedArguments, shown: Pick<SamplingChoice, 'threads' | 'states'>): DumpSettings {
  const choice = {
    intervalMs: timeValue(args, '--interval', DEFAULT_INTERVAL),
    sharePercent: integerValue(args, '--share', 1, 100, DEFAULT_SHARE),
    depth: args.has('--depth') ? integerValue(args, '--depth', 1, MOST_DEPTH, MOST_DEPTH) : undefined,
    ...shown,
  };
  try {
    return dumpSettings(choice);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--threads is no regular expression: ${error.message}`);
  }
}
