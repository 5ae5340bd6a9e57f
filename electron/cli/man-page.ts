/** The manual page of the command, in the language of man(7), made from the table of commands. */
import { NAMED_COMMANDS } from '../runtime/command-names.ts';
import { commandHelp, type CommandName, COMMON, EXIT_STATUS } from './commands.ts';
import { programVersion } from './process-io.ts';

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
  const all: readonly CommandName[] = ['open', ...NAMED_COMMANDS];
  const lines = [
    `.TH LEANSCOPE 1 "" "Leanscope ${programVersion()}" "User Commands"`,
    ...['.SH NAME', String.raw`leanscope \- view JVM sampling profiles`],
    ...['.SH SYNOPSIS', '.nf', ...all.map((name) => plain(`leanscope ${commandHelp(name).usage}`)), '.fi'],
    ...['.SH DESCRIPTION', ...paragraphs(COMMON)],
    ...['.SH COMMANDS', ...all.flatMap(sectionOf)],
    ...['.SH EXIT STATUS', plain(EXIT_STATUS.replace(/^Exit status: /, ''))],
  ];
  return `${lines.join('\n')}\n`;
}
