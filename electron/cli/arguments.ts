import { UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';

/** An option of a command. Without `value` it is a switch. */
export interface OptionSpec {
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** Its other name: the short one of a long one, or the long one of a short one. */
  readonly also?: string;
  /** Shown by --help: what the option does, and its default. */
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface ParsedArguments {
  /** Files and `-`, in order. */
  readonly files: readonly string[];
  has(option: string): boolean;
  /** The last value given. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  /** All options with a value, in the order in which they were given. */
  readonly inOrder: readonly { readonly option: string; readonly value: string }[];
}

/**
 * Options and files in any order. A value follows its option, as the next argument or after `=`. After `--`
 * everything is a file; `-` always is one. Throws UsageError.
 */
export function parseArguments(argv: readonly string[], specs: OptionSpecs): ParsedArguments {
  const files: string[] = [];
  const given = new Map<string, string[]>();
  const inOrder: { option: string; value: string }[] = [];
  const nameOf = new Map<string, string>();
  for (const [name, { also }] of Object.entries(specs)) {
    nameOf.set(name, name);
    if (also !== undefined) nameOf.set(also, name);
  }
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at];
    if (argument === '--') {
      files.push(...argv.slice(at + 1));
      break;
    }
    if (argument === '-' || !argument.startsWith('-')) {
      files.push(argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const named = equals < 0 ? argument : argument.slice(0, equals);
    const name = nameOf.get(named);
    if (name === undefined) throw new UsageError(`unknown option ${named}${optionMeant(named, nameOf)}`);
    const spec = specs[name];
    const values = given.get(name) ?? [];
    given.set(name, values);
    if (spec.value === undefined) {
      if (equals >= 0) throw new UsageError(`${name} takes no value`);
      continue;
    }
    if (equals < 0 && at + 1 === argv.length)
      throw new UsageError(`${name} needs a value: ${name} ${spec.value}`);
    const value = equals < 0 ? argv[++at] : argument.slice(equals + 1);
    if (spec.choices !== undefined && !spec.choices.includes(value)) {
      throw new UsageError(wrongChoice(name, value, spec.choices));
    }
    values.push(value);
    inOrder.push({ option: name, value });
  }
  return {
    files,
    has: (option) => given.has(option),
    value: (option) => given.get(option)?.at(-1),
    values: (option) => given.get(option) ?? [],
    inOrder,
  };
}

/** Names without their hyphens are compared, because these are the same in all. */
function optionMeant(wanted: string, known: ReadonlyMap<string, string>): string {
  const long = Array.from(known.keys(), (name) => /^--(.+)/.exec(name)?.[1]).filter(
    (name) => name !== undefined,
  );
  return didYouMean(wanted.replace(/^-+/, ''), long, '--');
}

/** The message about a value that is not among `choices`. */
export function wrongChoice(option: string, value: string, choices: readonly string[]): string {
  return `${option} cannot be ${quoted(value)}: it is one of ${choices.join(', ')}${didYouMean(value, choices)}`;
}

/** Exactly one file. */
export function oneFile(command: string, { files }: ParsedArguments): string {
  if (files.length === 0) throw new UsageError(`${command} needs a FILE, or - for standard input`);
  if (files.length > 1) {
    throw new UsageError(`${command} takes one FILE, not ${files.length}: ${files.join(' ')}`);
  }
  return files[0];
}

/** One file, or several that form one input, such as a series of thread dumps. Never empty. */
export function filesOf(command: string, { files }: ParsedArguments): readonly [string, ...string[]] {
  const [first, ...more] = files;
  if (files.length === 0) throw new UsageError(`${command} needs a FILE, or - for standard input`);
  return [first, ...more];
}

/** The value of an integer option, or `otherwise` if it is not given. Throws UsageError outside of least … most. */
export function integerValue(
  args: ParsedArguments,
  option: string,
  least: number,
  most: number,
  otherwise: number,
): number {
  const text = args.value(option);
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) {
    throw new UsageError(`${option} cannot be ${quoted(text)}: it is a number from ${least} to ${most}`);
  }
  return value;
}

/** The value of an option whose spec has these choices, or `otherwise` if it is not given. */
export function choiceValue<Choice extends string>(
  args: ParsedArguments,
  option: string,
  choices: readonly Choice[],
  otherwise: Choice,
): Choice {
  const text = args.value(option);
  return choices.find((each) => each === text) ?? otherwise;
}

function quoted(text: string): string {
  return `'${text}'`;
}
