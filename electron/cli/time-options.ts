import { sampleSpan } from '../../shared/profile/sample-table.ts';
import { type GivenTime, parseTime, resolveTime } from '../../shared/scope/time-text.ts';
import type { TimeRange } from '../../shared/scope/scope.ts';
import type { OptionSpecs, ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { inputName } from './input-name.ts';
import type { ProfileContents } from './read-profile.ts';

export const TIME_OPTIONS: OptionSpecs = {
  '--from': {
    value: 'TIME',
    help: 'only samples from then on: 12.5, 90s, 5m, 1h since the earliest sample, an ISO time with its zone, or ns since 1970 as 1795174022011079152ns',
  },
  '--to': { value: 'TIME', help: 'only samples before then' },
};

/** The time range of a command line. What it means is known only when the file is read: see `rangeIn`. */
export interface GivenRange {
  readonly from: GivenTime | undefined;
  readonly to: GivenTime | undefined;
}

/** `suffix`: of the names of the options, for --from-base and --to-base. Throws UsageError. */
export function givenRangeOf(args: ParsedArguments, suffix = ''): GivenRange | undefined {
  const [from, to] = [`--from${suffix}`, `--to${suffix}`];
  if (!args.has(from) && !args.has(to)) return undefined;
  return { from: timeOf(args, from), to: timeOf(args, to) };
}

function timeOf(args: ParsedArguments, option: string): GivenTime | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new UsageError(
    `${option} cannot be '${text}': it is a time as 12.5, 90s, 5m, 2026-11-20T14:27:02Z or 1795174022011079152ns`,
  );
}

/** The range in a file that was read with its samples. Throws UsageError if it has no times of samples. */
export function rangeIn(given: GivenRange | undefined, read: ProfileContents): TimeRange | undefined {
  if (given === undefined) return undefined;
  requireSampleTimes('--from and --to', read);
  const { samples } = read.profile;
  const first = (samples && sampleSpan(samples)?.first) ?? 0n;
  const from = given.from && resolveTime(given.from, first);
  const to = given.to && resolveTime(given.to, first);
  if (from !== undefined && to !== undefined && from >= to) {
    throw new UsageError(`--from must be before --to: from ${from}ns to ${to}ns`);
  }
  return { kind: 'between', from: from?.toString(), to: to?.toString() };
}

/** Throws UsageError if the times of single samples are not known. `options` names what needs them. */
export function requireSampleTimes(options: string, { facts, format, files }: ProfileContents): void {
  if (facts.hasSampleTimes) return;
  throw new UsageError(
    `${options} cannot be used with ${inputName(files[0].path)}: it does not say when each sample was taken (${format.name})`,
  );
}
