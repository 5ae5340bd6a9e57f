/** `leanscope completion SHELL`: what a shell needs to complete commands, options and their values, made from their table. */
import { NAMED_COMMANDS } from '../runtime/command-names.ts';
import type { CommandIo, ExitStatus } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { COMMAND_NAMES, commandHelp, COMMANDS, type CommandName } from './options/commands.ts';
import { readArguments } from './options/options.ts';

/** An option as a shell sees it. */
interface Completed {
  readonly name: string;
  readonly short: string | undefined;
  readonly help: string;
  /** Its values where they are known; empty for a switch. Undefined: a file or any text. */
  readonly values: readonly string[] | undefined;
  readonly isSwitch: boolean;
}

function optionsOf(command: CommandName): readonly Completed[] {
  const options = Object.entries(commandHelp(command).options).map(
    ([name, { short, value, help }]): Completed => ({
      name,
      short,
      help,
      isSwitch: value === undefined,
      values: value === undefined ? [] : value.includes('|') ? value.split('|') : undefined,
    }),
  );
  return [
    ...options,
    { name: 'quiet', short: 'q', help: 'print no messages', values: [], isSwitch: true },
    { name: 'help', short: 'h', help: 'help of the command', values: [], isSwitch: true },
  ];
}

/** The arguments of a command that are words and not files. */
function wordsOf(command: CommandName): readonly string[] {
  if (command === 'help') return NAMED_COMMANDS;
  return command === 'completion' ? Object.keys(SHELLS) : [];
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const namesOf = ({ name, short }: Completed): readonly string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

/** Words for compgen, which separates them where IFS says: at ends of lines. */
const words = (all: readonly string[]): string => `$'${all.join(String.raw`\n`)}'`;

/** Bash 3.2, which macOS has, knows neither mapfile nor associative arrays. */
function bash(): string {
  const answer = (script: string): string => `COMPREPLY=($(${script} -- "$word")); return`;
  const given = (command: CommandName, option: Completed): readonly string[] =>
    namesOf(option).map((name) => `'${command} ${name}'`);
  const all = COMMAND_NAMES.flatMap((command) => optionsOf(command).map((option) => ({ command, option })));
  const anyText = all.filter(({ option }) => option.values === undefined);
  const cases = [
    ...all.flatMap(({ command, option }) =>
      option.isSwitch || option.values === undefined
        ? []
        : [`${given(command, option).join('|')}) ${answer(`compgen -W ${words(option.values)}`)} ;;`],
    ),
    `${anyText.flatMap(({ command, option }) => given(command, option)).join('|')}) ${answer('compgen -f')} ;;`,
  ];
  const options = COMMAND_NAMES.map((command) => {
    const names = optionsOf(command).flatMap(namesOf);
    return `${command}) options=${words(names)} words=${words(wordsOf(command))} ;;`;
  });
  return `# Bash completion of leanscope. In ~/.bashrc: source <(leanscope completion bash)
_leanscope() {
  local IFS=$'\\n' word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=open options words
  if [ "$COMP_CWORD" -gt 1 ]; then
    case \${COMP_WORDS[1]} in ${NAMED_COMMANDS.join('|')}) command=\${COMP_WORDS[1]} ;; esac
  fi
  case "$command $before" in
    ${cases.join('\n    ')}
  esac
  case $command in
    ${options.join('\n    ')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words=${words(NAMED_COMMANDS)}
  case $word in
    -*) ${answer('compgen -W "$options"')} ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # Commands whose arguments are words take no file.
  if [ -z "$words" ] || [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _leanscope leanscope
`;
}

/** A description in a specification of _arguments, whose brackets, colons and backslashes mean something. */
const forZsh = (text: string): string => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);

function zsh(): string {
  const cases = COMMAND_NAMES.map((command) => {
    const specifications = optionsOf(command).flatMap((option) => {
      const value = option.isSwitch
        ? ''
        : option.values === undefined
          ? ':value:_files'
          : `:value:(${option.values.join(' ')})`;
      // Repeatable, because zsh would otherwise hide an option that was given.
      return namesOf(option).map((name) => quoted(`*${name}[${forZsh(option.help)}]${value}`));
    });
    const words = wordsOf(command);
    const rest = words.length > 0 ? `'*:word:(${words.join(' ')})'` : "'*:file:_files'";
    return `  ${command}) _arguments -S ${[...specifications, rest].join(' ')} ;;`;
  });
  const described = NAMED_COMMANDS.map((command) =>
    quoted(`${command}:${forZsh(commandHelp(command).does)}`),
  );
  return `#compdef leanscope
# Zsh completion of leanscope: write it to a file _leanscope in a folder of $fpath.
local -a commands=(${described.join(' ')})
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe command commands
  _files
  return
fi
local command=open
if (( \${commands[(I)$words[2]:*]} )); then
  command=$words[2]
  shift words
  (( CURRENT-- ))
fi
case $command in
${cases.join('\n')}
esac
`;
}

function fish(): string {
  const isFirst = `not __fish_seen_subcommand_from ${NAMED_COMMANDS.join(' ')}`;
  const lines = COMMAND_NAMES.flatMap((command) => {
    const when = quoted(command === 'open' ? isFirst : `__fish_seen_subcommand_from ${command}`);
    const options = optionsOf(command).map(({ name, short, help, values, isSwitch }) => {
      const value = isSwitch ? '' : values === undefined ? ' -r' : ` -x -a ${quoted(values.join(' '))}`;
      const letter = short === undefined ? '' : ` -s ${short}`;
      return `complete -c leanscope -n ${when} -l ${name}${letter}${value} -d ${quoted(help)}`;
    });
    const words = wordsOf(command);
    return [
      ...(command === 'open'
        ? []
        : [
            `complete -c leanscope -n ${quoted(isFirst)} -a ${command} -d ${quoted(commandHelp(command).does)}`,
          ]),
      ...options,
      ...(words.length === 0 ? [] : [`complete -c leanscope -f -n ${when} -a ${quoted(words.join(' '))}`]),
    ];
  });
  return `# Fish completion of leanscope: ~/.config/fish/completions/leanscope.fish\n${lines.join('\n')}\n`;
}

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish };

export function completionCommand(argv: readonly string[], io: CommandIo): ExitStatus {
  const { files } = readArguments(argv, COMMANDS.completion.options);
  const write = files.length === 1 && Object.hasOwn(SHELLS, files[0]) ? SHELLS[files[0]] : undefined;
  if (write === undefined)
    throw new UsageError(`completion takes the name of a shell: ${Object.keys(SHELLS).join(', ')}`);
  io.stdout(write());
  return 0;
}
