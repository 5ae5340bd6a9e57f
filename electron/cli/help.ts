/** The help of all commands and the manual page, made from their table. */
import { alignedLines } from '../../shared/text/aligned-lines.ts';
import { isNamedCommand, NAMED_COMMANDS } from '../runtime/command-names.ts';
import type { CommandIo, ExitStatus } from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import {
  COMMAND_NAMES,
  commandHelp,
  type CommandName,
  COMMANDS,
  COMMON,
  EXIT_STATUS,
} from './options/commands.ts';
import { type Options, readArguments } from './options/options.ts';
import { programVersion } from '../runtime/program-version.ts';

const WIDTH = 100;
const NO_GROUP = 'Options';

/** Prints the help of all commands, or of one, or the manual page. */
export async function helpCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const { files, values } = readArguments(argv, COMMANDS.help.options);
  const command = files.at(0);
  if (files.length > 1) throw new UsageError(`help takes one command, not ${files.length}`);
  if (values['json-schema']) {
    const { JSON_COMMANDS, jsonSchemaText } = await import('./json-schemas.ts');
    const known = JSON_COMMANDS.find((each) => each === command);
    if (known === undefined) throw new UsageError(`--json-schema is of one of ${JSON_COMMANDS.join(', ')}`);
    io.stdout(jsonSchemaText(known));
    return 0;
  }
  if (command !== undefined && !isNamedCommand(command))
    throw new UsageError(`there is no command '${command}'${didYouMean(command, NAMED_COMMANDS)}`);
  if (values.man && command !== undefined) throw new UsageError('--man is the manual page of all commands');
  io.stdout(values.man ? manPage() : helpText(command ?? 'open'));
  return 0;
}

export function helpText(command: CommandName): string {
  const { usage, about, examples, options } = commandHelp(command);
  const parts =
    command === 'open'
      ? [wrapped(about), commandList(), wrapped(COMMON), wrapped(EXIT_STATUS), 'When files are opened:']
      : [`leanscope ${usage}`, wrapped(about)];
  if (examples.length > 0)
    parts.push(
      columns(
        examples.map(([line, does]) => [`leanscope ${line}`, does]),
        'Examples:',
      ),
    );
  parts.push(...optionGroups(options));
  if (command !== 'open') parts.push(wrapped(EXIT_STATUS));
  return `${parts.join('\n\n')}\n`;
}

function commandList(): string {
  return columns(
    COMMAND_NAMES.map((command) => {
      const { usage, does } = commandHelp(command);
      return [`leanscope ${usage.replace(/ \[-.*/, '')}`, does];
    }),
  );
}

/** Two columns below a heading. */
function columns(rows: readonly (readonly [string, string])[], heading?: string): string {
  const lines = alignedLines(rows).map((line) => `  ${line}`);
  return [...(heading === undefined ? [] : [heading]), ...lines].join('\n');
}

/** The options below the headings of their groups, in the order of the table. */
function optionGroups(options: Options): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const [name, { short, value, isRepeatable, help, group = NO_GROUP }] of Object.entries(options)) {
    const lines = groups.get(group) ?? [];
    groups.set(group, lines);
    const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
    const usage = value === undefined ? names : `${names} ${value}`;
    lines.push(wrapped(isRepeatable === true ? `${usage} (repeatable)` : usage, '  ', '|'));
    lines.push(wrapped(help, '      '));
  }
  return Array.from(groups, ([group, lines]) => [`${group}:`, ...lines].join('\n'));
}

/** Breaks lines at blanks, or behind `separator`, so that they fit the width. A line that begins with a blank stays as it is. */
function wrapped(text: string, indent = '', separator = ' '): string {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? [line] : broken(line, indent, separator)))
    .join('\n');
}

function broken(line: string, indent: string, separator: string): readonly string[] {
  const lines: string[] = [];
  let current = indent;
  const words = line.split(separator);
  for (const [at, word] of words.entries()) {
    const piece = at < words.length - 1 ? word + separator : word;
    if (current.trim() !== '' && current.length + piece.trimEnd().length > WIDTH) {
      lines.push(current.trimEnd());
      current = separator === ' ' ? indent : `${indent}    `;
    }
    current += piece;
  }
  return [...lines, current.trimEnd()];
}

/** Prints the version. */
export function versionCommand(argv: readonly string[], io: CommandIo): ExitStatus {
  if (argv.length > 0) throw new UsageError('version takes neither options nor files');
  io.stdout(`leanscope ${programVersion()}\n`);
  return 0;
}

/** Text in which nothing is taken for a request or an escape, and hyphens can be copied. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);

/** Paragraphs. Lines that begin with a blank stay as they are. */
function paragraphs(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') ? ['.nf', plain(line), '.fi'] : ['.PP', plain(line)]));
}

function optionsOf(command: CommandName): readonly string[] {
  return Object.entries(commandHelp(command).options).flatMap(
    ([name, { short, value, isRepeatable, help }]) => {
      const names = [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
      // A line may break after each choice.
      const argument = value === undefined ? '' : ` \\fI${plain(value).replaceAll('|', String.raw`|\:`)}\\fR`;
      return [
        '.TP',
        `${names.map((each) => `\\fB${plain(each)}\\fR`).join(', ')}${argument}`,
        plain(isRepeatable === true ? `${help} (repeatable)` : help),
      ];
    },
  );
}

function sectionOf(command: CommandName): readonly string[] {
  const { usage, about, examples } = commandHelp(command);
  return [
    `.SS ${plain(`leanscope ${usage}`)}`,
    ...paragraphs(about),
    ...optionsOf(command),
    ...examples.flatMap(([line, does]) => ['.TP', `\\fB${plain(`leanscope ${line}`)}\\fR`, plain(does)]),
  ];
}

export function manPage(): string {
  const lines = [
    `.TH LEANSCOPE 1 "" "Leanscope ${programVersion()}" "User Commands"`,
    '.SH NAME',
    String.raw`leanscope \- view JVM sampling profiles`,
    '.SH SYNOPSIS',
    '.nf',
    ...COMMAND_NAMES.map((name) => plain(`leanscope ${commandHelp(name).usage}`)),
    '.fi',
    '.SH DESCRIPTION',
    ...paragraphs(COMMON),
    '.SH COMMANDS',
    ...COMMAND_NAMES.flatMap(sectionOf),
    '.SH EXIT STATUS',
    plain(EXIT_STATUS.replace(/^Exit status: /, '')),
  ];
  return `${lines.join('\n')}\n`;
}
