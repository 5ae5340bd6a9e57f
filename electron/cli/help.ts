import { isNamedCommand, NAMED_COMMANDS, type NamedCommand } from '../runtime/command-names.ts';
import { AGENT_COMMAND_OPTIONS } from './agent-command.ts';
import { type CommandIo, type ExitStatus, UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';
import { COMPARE_OPTIONS } from './compare-request.ts';
import { EXPORT_OPTIONS } from './export-request.ts';
import { CONVERT_TRACE_OPTIONS } from './convert-trace-command.ts';
import { TOP_OPTIONS, TREE_OPTIONS } from './hot-commands.ts';
import { JVMS_OPTIONS } from './jvms-command.ts';
import { RECORD_OPTIONS } from './record-request.ts';
import type { OptionSpecs } from './arguments.ts';
import { ATTACH_OPTIONS, OPEN_OPTIONS, SERVE_OPTIONS } from './serve-command.ts';
import { SUMMARY_OPTIONS } from './summary-command.ts';

export type CommandName = 'open' | NamedCommand;

const EXIT_STATUS = `Exit status: 0 everything was read and written; 3 a part: the file is damaged, and everything before the damage was used,
or the output has reached its limit; 1 nothing could be read or written, or no sample is in scope; 2 the command line is
invalid; 4 compare --fail-above: a share grew (1: a profile is empty).
`;

const MAIN_HELP = `Leanscope shows JVM profiles: Honest Profiler logs, JFR, hprof, TPTP, SkyWalking, thread dumps,
collapsed stacks, pprof, speedscope and more, plain, gzip or zip. Files are recognised by content.

  leanscope [FILE…]           open in the desktop app, or in the browser if the app cannot run
  leanscope serve [FILE…]     open in the browser, from a server on this machine only
  leanscope top FILE          the hottest methods, classes, packages, lines, threads or pools
  leanscope tree FILE         the heaviest calls, as a tree
  leanscope export FILE -o OUT  write one view of a profile, or the profile in another format
  leanscope compare BASE NEW  what changed from one profile to another
  leanscope summary FILE      what is hot, contents of a file, its options, and damage
  leanscope convert-trace FILE  convert a TPTP trace in XML to a binary one
  leanscope jvms              the JVMs of this machine
  leanscope record JVM -o OUT   record a JVM for a while
  leanscope attach JVM        record a JVM, and show it live in the browser
  leanscope agent JVM status  control Honest Profiler's agent in a JVM; leanscope agent options: its option line
  leanscope help COMMAND      options of a command, as leanscope COMMAND --help
  leanscope version

FILE may be - for standard input (export, compare, summary). After -- everything is a file. Several thread dumps, in the order
in which they were taken, are one profile (export, summary). --merge-files merges logs of any format into one profile (export, summary).

${EXIT_STATUS}`;

const COMMAND_HELP: Readonly<Record<Exclude<CommandName, 'open'>, readonly [usage: string, about: string]>> =
  {
    serve: [
      'leanscope serve [FILE…]',
      'Shows logs in the browser. Only programs on this machine that know the token have access.',
    ],
    top: [
      'leanscope top FILE',
      'Prints a table of what is hot. A sample counts once for a row, however often it is on the stack.',
    ],
    tree: [
      'leanscope tree FILE',
      `Prints the heaviest calls: callers above what they call, the heaviest first. Frames that are always called one by
another are one line. --format tree of leanscope export has the complete tree, for programs.`,
    ],
    export: [
      'leanscope export FILE [--format FORMAT] [-o OUT]',
      `Writes one view of a profile, or the complete profile in another format. Text is UTF-8. The extension of OUT names the
format, as in -o app.svg; leanscope top and leanscope tree print what is hot.

To read it:
  methods    the flat profile for people, with aligned columns
  tree       the call tree
  bottom-up  from the methods in which samples ended to their callers, up to the threads
  callers    the callers of one method up to the threads; their rows count only samples that reach the method
  callees    what one method calls, with the samples that passed through the method
  timeline   how many samples were taken when: start of each part of the time (ns), samples, value

To share it:
  svg        the flame graph as one self-contained SVG file
  csv        the flat profile for spreadsheets

For another tool:
  collapsed  one line per stack, for flame graph scripts
  pprof      for \`go tool pprof\` and similar tools; gzipped if OUT ends in .gz
  speedscope for https://www.speedscope.app
  json       threads, methods, frames, call nodes and self values, for programs; docs/json.md has its schema
  hprof      stacks and counts, as Android's SamplingProfiler writes them; hprof-text: the same as text
  trcbin     a TPTP trace with an aggregated event per call node
  flat       one row per method, sorted by key
  lean       every thread and call node with its ids

Fields of lean, flat, tree, bottom-up, callers, callees and timeline are separated by tabs.`,
    ],
    compare: [
      'leanscope compare BASE NEW',
      `Writes what changed from one profile to another. Methods and threads are joined by their keys.

  report     for people: the methods whose share changed more than chance explains (95 % interval)
  report-md  the same for a pull request; html: the same as one file, with a differential flame graph
  flat       both flat profiles: key, then self and total samples and time of the base, then of the new one
  tree       both call trees in the same way
  csv        both flat profiles and their differences for spreadsheets
  svg        a differential flame graph

The scope is that of both profiles. Machine-made names, such as those of lambdas, are folded: they differ from run to
run. --fold none compares them as they are.`,
    ],
    summary: ['leanscope summary FILE', 'Prints what is hot in a file, its contents, choices, and damage.'],
    'convert-trace': [
      'leanscope convert-trace IN.trcxml -o OUT.trcbin',
      'Converts a TPTP trace in XML to a binary one, event by event, and prints both sizes.',
    ],
    attach: [
      'leanscope attach JVM',
      `Starts a flight recording in a JVM of this machine (Linux, macOS; JDK 11 and later, 8u262 and later) and shows it in
the browser as it grows, with execution samples, allocations and locks to choose from. Ctrl+C, or closing its tab, stops
the recording. --recording follows one that runs already, which is never stopped. JVM is a pid or a part of the main
class or jar; leanscope jvms lists them. --with dumps samples the threads of any HotSpot JVM instead, at safepoints, and
--with agent opens the log that Honest Profiler's agent writes.`,
    ],
    record: [
      'leanscope record JVM -o OUT [-d 30s]',
      `Records a JVM of this machine (Linux, macOS), and leaves it as it was found. JVM is a pid or a part of the main class
or jar; leanscope jvms lists them. OUT is a recording as the JVM made it (.jfr) or any format of leanscope export, by its extension.
Without a flight recorder (JDK 11 and later, 8u262 and later), or --with dumps, threads are sampled by thread dumps, at
safepoints.`,
    ],
    agent: [
      'leanscope agent JVM|HOST:PORT COMMAND',
      `Controls Honest Profiler's agent in a running JVM, over the control port that its options host and port open. The JVM
is named by a pid or a part of the main class or jar; leanscope jvms lists them.

  status                       whether it samples, its log and its settings
  start, stop                  samples are written to its log, which a start empties
  get PARAMETER                one of interval, intervalMin, intervalMax, maxFrames, logPath
  set interval MIN [MAX]       in ms, drawn at random between both; used from the next start on, as all settings
  set intervalMin|intervalMax|maxFrames NUMBER
  set logPath PATH             without blanks

  leanscope agent options [KEY=VALUE…] [--library PATH]
                               the option that loads the agent with these values, and what each option means`,
    ],
    help: ['leanscope help [COMMAND]', 'Prints what all commands do, or the options of one.'],
    version: ['leanscope version', 'Prints the version.'],
    jvms: [
      'leanscope jvms',
      `Lists the JVMs of this machine (Linux, macOS) and what is possible with each: jfr, a flight recording can be
followed; jfr-dump, its JFR does not flush (JDK 11 to 13, 8u262 and later), and it is shown every few seconds; dumps, its
threads can be sampled. CPU is the share of one CPU since the JVM started. A JVM of another user, or one that is not
HotSpot, is listed with the reason why it cannot be attached.`,
    ],
  };

const COMMAND_OPTIONS: Readonly<Record<Exclude<CommandName, 'open'>, OptionSpecs>> = {
  serve: SERVE_OPTIONS,
  top: TOP_OPTIONS,
  tree: TREE_OPTIONS,
  export: EXPORT_OPTIONS,
  compare: COMPARE_OPTIONS,
  summary: SUMMARY_OPTIONS,
  'convert-trace': CONVERT_TRACE_OPTIONS,
  agent: AGENT_COMMAND_OPTIONS,
  jvms: JVMS_OPTIONS,
  record: RECORD_OPTIONS,
  attach: ATTACH_OPTIONS,
  help: {},
  version: {},
};

/** Prints the help of all commands, or of one. */
export function helpCommand(argv: readonly string[], io: CommandIo): ExitStatus {
  const command = argv.at(0);
  if (argv.length > 1) throw new UsageError(`help takes one command, not ${argv.length}`);
  if (command !== undefined && !isNamedCommand(command))
    throw new UsageError(`there is no command '${command}'${didYouMean(command, NAMED_COMMANDS)}`);
  io.stdout(helpText(command ?? 'open'));
  return 0;
}

export function helpText(command: CommandName): string {
  if (command === 'open')
    return `${MAIN_HELP}\nOptions, when it opens in the browser:\n${optionLines(OPEN_OPTIONS)}`;
  const [usage, about] = COMMAND_HELP[command];
  return `${usage}\n\n${about}\n\n${optionLines(COMMAND_OPTIONS[command])}\n${EXIT_STATUS}`;
}

function optionLines(specs: OptionSpecs): string {
  return Object.entries(specs)
    .map(([name, { value, help, repeatable, also }]) => {
      const usage = `${also === undefined ? name : `${name}, ${also}`}${value === undefined ? '' : ` ${value}`}${repeatable === true ? ' (repeatable)' : ''}`;
      return `  ${usage}\n      ${help}\n`;
    })
    .join('');
}
