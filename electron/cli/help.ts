import type { NamedCommand } from '../runtime/command-names.ts';
import { EXPORT_OPTIONS } from './export-request.ts';
import { CONVERT_TRACE_OPTIONS } from './convert-trace-command.ts';
import type { OptionSpecs } from './arguments.ts';
import { OPEN_OPTIONS, SERVE_OPTIONS } from './serve-command.ts';
import { SUMMARY_OPTIONS } from './summary-command.ts';

export type CommandName = 'open' | NamedCommand;

const EXIT_STATUS = `Exit status: 0 all was read; 3 read in part, everything before the damage was used; 1 nothing
could be read or written; 2 the command line was wrong.
`;

const MAIN_HELP = `Leanscope shows JVM profiles: Honest Profiler logs, JFR, hprof, TPTP, SkyWalking, thread dumps,
collapsed stacks, pprof, speedscope and more, plain, gzip or zip. Files are recognised by content.

  leanscope [FILE…]           open in the desktop app, or without it in the browser
  leanscope serve [FILE…]     open in the browser, from a server on this machine only
  leanscope export FILE       write one view of a profile, or the profile in another format
  leanscope summary FILE      contents of a file, its options, and damage
  leanscope convert-trace FILE  a TPTP trace in XML as a binary one
  leanscope COMMAND --help    options of a command
  leanscope --version

FILE may be - for standard input (export, summary). After -- everything is a file. Several thread dumps, in the order
in which they were taken, are one profile (export, summary).

${EXIT_STATUS}`;

const COMMAND_HELP: Readonly<Record<Exclude<CommandName, 'open'>, readonly [usage: string, about: string]>> =
  {
    serve: [
      'leanscope serve [FILE…]',
      'Shows logs in the browser. Only programs of this machine that know the token can reach it.',
    ],
    export: [
      'leanscope export FILE --format FORMAT',
      `Writes one view of a profile; texts in UTF-8, fields separated by tabs, sorted by key.

  lean       every thread and call node with its ids
  flat       one row per method
  tree       the call tree
  callers    who calls one method, up to the threads: only what flows through the method
  callees    what one method calls, likewise
  collapsed  one line per stack, for flame graph scripts
  svg        the flame graph as a picture that stands for itself
  csv        the flat profile for spreadsheets
  hprof      stacks and counts, as Android's SamplingProfiler writes them; hprof-text: the same as text
  trcbin     a TPTP trace with an aggregated event per call node
  pprof      for \`go tool pprof\` and its like; packed when OUT ends in .gz`,
    ],
    summary: ['leanscope summary FILE', 'Contents of a log, and damage.'],
    'convert-trace': [
      'leanscope convert-trace IN.trcxml -o OUT.trcbin',
      'Writes the events of a TPTP trace in XML one by one as a binary trace, and says how much smaller it is.',
    ],
  };

const COMMAND_OPTIONS: Readonly<Record<Exclude<CommandName, 'open'>, OptionSpecs>> = {
  serve: SERVE_OPTIONS,
  export: EXPORT_OPTIONS,
  summary: SUMMARY_OPTIONS,
  'convert-trace': CONVERT_TRACE_OPTIONS,
};

export function helpText(command: CommandName): string {
  if (command === 'open')
    return `${MAIN_HELP}\nOptions, when it opens in the browser:\n${optionLines(OPEN_OPTIONS)}`;
  const [usage, about] = COMMAND_HELP[command];
  return `${usage}\n\n${about}\n\n${optionLines(COMMAND_OPTIONS[command])}\n${EXIT_STATUS}`;
}

function optionLines(specs: OptionSpecs): string {
  return Object.entries(specs)
    .map(([name, { value, help, repeatable }]) => {
      const usage = `${name}${value === undefined ? '' : ` ${value}`}${repeatable === true ? ' (repeatable)' : ''}`;
      return `  ${usage}\n      ${help}\n`;
    })
    .join('');
}
