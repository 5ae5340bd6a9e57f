import type { Chosen } from '../../shared/facts/choice.ts';
import { type OptionSpec, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';

export const CHOOSE_OPTION: OptionSpec = {
  value: 'NAME=VALUE',
  repeatable: true,
  help: 'how to read a file that holds several profiles or lacks information: sample-type=cpu, period=10; leanscope summary lists the choices of a file',
};

/** The values of all --choose options, or of another option of this kind. Throws UsageError. */
export function chosenOf(args: ParsedArguments, option = '--choose'): Chosen {
  const chosen: Record<string, string> = {};
  for (const text of args.values(option)) {
    const equals = text.indexOf('=');
    if (equals <= 0) throw new UsageError(`${option} takes NAME=VALUE, not '${text}'`);
    chosen[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return chosen;
}

/** The value of an option; with its name, if the value is a mere number: `2 = threads.txt`. */
export function optionText({ value, text }: { readonly value: string; readonly text: string }): string {
  return /^\d+$/.test(value) && text !== value ? `${value} = ${text}` : value;
}
