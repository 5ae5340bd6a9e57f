import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The value of an option that is a duration, in milliseconds; a number without a unit is seconds. Throws UsageError. */
export function timeValue(args: ParsedArguments, option: string, otherwise: string): number {
  const text = args.value(option) ?? otherwise;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text);
  const ms = match === null ? 0 : Number(match[1]) * UNITS[match.at(2) ?? 's'];
  // A timer of Node holds 2^31 ms.
  if (!(ms > 0 && ms < 2 ** 31))
    throw new UsageError(`${option} cannot be '${text}': it is a time such as 500ms, 30s or 5m`);
  return ms;
}
