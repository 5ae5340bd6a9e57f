/** Kinds of options, and the reading of a command line by a table of them. */
import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean, UsageError } from './usage-error.ts';

/** An option of a command. */
export interface Option<Value = unknown> {
  /** The effect and the default of the option, for --help. */
  readonly help: string;
  /** Its other name, one letter. */
  readonly short?: string;
  /** The name of its value in --help; undefined: it is a switch. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  /** A variable of the environment has its value where it is not given: see `variableOf`. */
  readonly hasVariable?: true;
  /** The heading of --help below which it stands. */
  readonly group?: string;
  /**
   * Its value from the texts that follow it on the command line, one for each time it is given. `name`: as it was given.
   * Throws UsageError.
   */
  readonly read: (texts: readonly string[], name: string) => Value;
}

/** The options of a command, by their names without hyphens. */
export type Options = Readonly<Record<string, Option>>;

export type ValuesOf<Table extends Options> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** A command line that was read. */
export interface Arguments<Values> {
  /** Files and `-`, in order. */
  readonly files: readonly string[];
  readonly values: Values;
  readonly has: (option: keyof Values & string) => boolean;
  /** All options that are followed by a value, in the order in which they were given. */
  readonly inOrder: readonly GivenOption[];
}

/** An option of a command line, by its name without hyphens, with its value. */
export interface GivenOption {
  readonly option: string;
  readonly value: string;
}

/** The variable of an option: LEANSCOPE_NO_OPEN of --no-open. */
function variableOf(option: string): string {
  return `LEANSCOPE_${option.toUpperCase().replaceAll('-', '_')}`;
}

/** Whether a variable switches something on. */
export function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0';
}

/** The texts of a variable, as if its option had been given with them; undefined where it has none. */
function textsOfVariable(
  { value, isRepeatable, hasVariable }: Option,
  name: string,
): readonly string[] | undefined {
  const text = hasVariable === true ? process.env[name] : undefined;
  if (text === undefined || text === '') return undefined;
  if (value === undefined) return isSet(text) ? [''] : undefined;
  return isRepeatable === true ? text.split(delimiter) : [text];
}

/** Options that variables of the environment may set, too. */
export function withVariables<Table extends Options>(table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      { ...option, hasVariable: true, help: `${option.help} (${variableOf(name)})` },
    ]),
  ) as Options as Table;
}

// ---- Kinds of options ----

/** Is true if it is given. */
export function flag(help: string): Option<boolean> {
  return { help, read: (texts) => texts.length > 0 };
}

/** Has a value of some kind; the last one counts. `read` throws UsageError. */
function valued<Value, Otherwise>(
  value: string,
  help: string,
  read: (text: string, name: string) => Value,
  otherwise: Otherwise,
): Option<Value | Otherwise> {
  return {
    value,
    help,
    read: (texts, name) =>
      texts.length === 0 ? otherwise : texts.map((text) => read(text, name))[texts.length - 1],
  };
}

export function text(value: string, help: string): Option<string | undefined> {
  return valued(value, help, (given) => given, undefined);
}

/** May be given several times: has all its values. */
export function texts(value: string, help: string): Option<readonly string[]> {
  return { value, help, isRepeatable: true, read: (given) => given };
}

/** Has one of some values. */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
): Option<Choice | undefined>;
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  otherwise: Choice,
): Option<Choice>;
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  otherwise?: Choice,
): Option<Choice | undefined> {
  return valued(
    choices.join('|'),
    help,
    (given, name) => {
      const choice = choices.find((each) => each === given);
      if (choice !== undefined) return choice;
      throw wrongValue(name, given, `one of ${choices.join(', ')}${didYouMean(given, choices)}`);
    },
    otherwise,
  );
}

/** Has some of some values, separated by commas; undefined: all. They are in the order of `choices`. */
export function someOf<Choice extends string>(
  value: string,
  choices: readonly Choice[],
  help: string,
): Option<readonly Choice[] | undefined> {
  const known: readonly string[] = choices;
  return valued(
    value,
    help,
    (given, name) => {
      const wanted = given.split(',');
      const unknown = wanted.find((each) => !known.includes(each));
      if (unknown !== undefined)
        throw wrongValue(name, unknown, `one or more of ${choices.join(', ')}${didYouMean(unknown, known)}`);
      return choices.filter((each) => wanted.includes(each));
    },
    undefined,
  );
}

/** Bounds of a number, both inclusive. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function integer(value: string, bounds: Bounds, help: string): Option<number | undefined>;
export function integer(value: string, bounds: Bounds, help: string, otherwise: number): Option<number>;
export function integer(
  value: string,
  bounds: Bounds,
  help: string,
  otherwise?: number,
): Option<number | undefined> {
  return valued(value, help, numberIn(/^\d{1,9}$/, bounds), otherwise);
}

/** A number that may have decimals. `unit`: of what it is a number, for the message about another value. */
export function decimal(
  value: string,
  { unit, ...bounds }: Bounds & { readonly unit?: string },
  help: string,
): Option<number | undefined> {
  return valued(value, help, numberIn(/^\d{1,3}(\.\d{1,6})?$/, bounds, unit), undefined);
}

function numberIn(
  pattern: RegExp,
  { least, most }: Bounds,
  unit?: string,
): (text: string, name: string) => number {
  return (given, name) => {
    const number = pattern.test(given) ? Number(given) : NaN;
    if (number >= least && number <= most) return number;
    throw wrongValue(
      name,
      given,
      unit === undefined ? `a number from ${least} to ${most}` : `a number of ${unit}, ${least} to ${most}`,
    );
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration, in milliseconds; a number without a unit is seconds. */
export function duration(help: string, otherwiseMs: number): Option<number> {
  return valued(
    'TIME',
    help,
    (given, name) => {
      const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(given);
      const ms = match === null ? 0 : Number(match[1]) * UNITS[match.at(2) ?? 's'];
      // A timer of Node holds 2^31 ms.
      if (ms > 0 && ms < 2 ** 31) return ms;
      throw wrongValue(name, given, 'a time such as 500ms, 30s or 5m');
    },
    otherwiseMs,
  );
}

/** May be given several times: has values by their names. */
export function pairs(help: string): Option<Readonly<Record<string, string>>> {
  return {
    value: 'NAME=VALUE',
    isRepeatable: true,
    help,
    read: (given, name) =>
      Object.fromEntries(
        given.map((pair) => {
          const equals = pair.indexOf('=');
          if (equals <= 0) throw new UsageError(`${name} takes NAME=VALUE, not '${pair}'`);
          return [pair.slice(0, equals), pair.slice(equals + 1)];
        }),
      ),
  };
}

/** The error about a value that an option cannot have. `known`: what it may be. */
export function wrongValue(name: string, given: string, known: string): UsageError {
  return new UsageError(`${name} cannot be '${given}': it is ${known}`);
}

// ---- Tables of options ----

/** Options below one heading of --help. */
export function inGroup<Table extends Options>(group: string, table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, { ...option, group }]),
  ) as Options as Table;
}

/**
 * Reads options and files in any order. A value follows its option, as the next argument or after `=`. After `--`
 * everything is a file; `-` always is one. Throws UsageError.
 */
export function readArguments<Table extends Options>(
  argv: readonly string[],
  table: Table,
): Arguments<ValuesOf<Table>> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(table).map(([name, { short, value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const files: string[] = [];
  const given = new Map<string, { name: string; texts: string[] }>();
  const inOrder: GivenOption[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const [asGiven] = argv[token.index].split('=', 1);
    // Several letters behind one hyphen are no options, and a letter is followed by its value only after `=`.
    if (!Object.hasOwn(table, name) || asGiven !== rawName)
      throw new UsageError(`unknown option ${asGiven}${optionMeant(asGiven, table)}`);
    const { value } = table[name];
    const texts = given.get(name)?.texts ?? [];
    given.set(name, { name: rawName, texts });
    if (value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${rawName} takes no value`);
      texts.push('');
      continue;
    }
    if (token.value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${value}`);
    const text = token.inlineValue && rawName.length === 2 ? token.value.slice(1) : token.value;
    texts.push(text);
    inOrder.push({ option: name, value: text });
  }
  const values = Object.entries(table).map(([name, option]) => {
    const variable = variableOf(name);
    const asked = given.get(name);
    const texts = asked === undefined ? textsOfVariable(option, variable) : undefined;
    if (texts !== undefined) return [name, option.read(texts, variable)];
    return [name, option.read(asked?.texts ?? [], asked?.name ?? `--${name}`)];
  });
  return {
    files,
    values: Object.fromEntries(values) as ValuesOf<Table>,
    has: (option) => given.has(option),
    inOrder,
  };
}

/** Names without their hyphens are compared, because these are the same in all. */
function optionMeant(wanted: string, table: Options): string {
  return didYouMean(wanted.replace(/^-+/, ''), Object.keys(table), '--');
}

// ---- Files ----

type Files = Pick<Arguments<unknown>, 'files'>;

/** Exactly one file. */
export function oneFile(command: string, { files }: Files): string {
  const [file] = filesOf(command, { files });
  if (files.length === 1) return file;
  throw new UsageError(`${command} takes one FILE, not ${files.length}: ${files.join(' ')}`);
}

/** One file, or several that form one input, such as a series of thread dumps. Never empty. */
export function filesOf(command: string, { files }: Files): readonly [string, ...string[]] {
  const [first, ...more] = files;
  if (files.length === 0) throw new UsageError(`${command} needs a FILE, or - for standard input`);
  return [first, ...more];
}
