/** The commands and their options. Parsing, errors and --help are made from this table. */
import { EXPORT_FORMAT_IDS } from '../../../shared/export/export-formats.ts';
import { SCRUBBED_EVENTS } from '../../../shared/formats/jfr/scrub.ts';
import { MERGED_THREADS } from '../../../shared/facts/choice.ts';
import { NAMED_COMMANDS, type NamedCommand } from '../../runtime/command-names.ts';
import { type Command, QUESTIONS } from './question-commands.ts';
import {
  SOURCES,
  JSON_OPTION,
  OUTPUT,
  INPUT,
  SCOPE,
  EXPORT_OPTIONS,
  OPEN_OPTIONS,
  FILE_OPTIONS,
  RECORDING,
  DUMPS,
  SAMPLING,
  depth,
} from './command-options.ts';
import { duration, flag, inGroup, integer, oneOf, text, texts } from './options.ts';

export const COMMANDS = {
  ...QUESTIONS,
  open: {
    usage: '[FILE…]',
    does: 'open in the desktop app, or else in the browser',
    about: `Leanscope shows JVM profiles: Honest Profiler logs, JFR, hprof, TPTP, SkyWalking, thread dumps, collapsed stacks, pprof, speedscope and more, plain, gzip or zip. Files are recognised by content.`,
    examples: [
      ['app.hpl', 'a log, also while it grows'],
      ['before.jfr after.jfr --source src', 'two recordings, with the sources of the project'],
    ],
    options: { ...OPEN_OPTIONS, ...FILE_OPTIONS },
  },
  serve: {
    usage: 'serve [FILE…]',
    does: 'open in the browser, from a server on this machine only',
    about: 'Shows logs in the browser. Only programs on this machine that know the token have access.',
    examples: [
      ['serve --no-open app.hpl', 'print the address of a log that grows'],
      ['serve --attach', 'list and record the JVMs of this machine'],
    ],
    options: {
      ...OPEN_OPTIONS,
      ...inGroup('Server', {
        attach: flag(
          'the window lists the JVMs of this machine (Linux, macOS) and may record them; without it, it may not',
        ),
      }),
      ...FILE_OPTIONS,
      ...inGroup('Files', {
        'merge-files': oneOf(
          MERGED_THREADS,
          'the FILEs are logs of one system: show them as one, too. Threads are apart by file (groups), or those of one name are one (together)',
        ),
      }),
      ...inGroup('Profiles', {
        'listen-otlp': integer(
          'PORT',
          { least: 0, most: 65_535 },
          'accept profiles of OpenTelemetry at this port of 127.0.0.1 (usually 4318; 0: any free one), and show them live, each service by itself; senders need the token that is printed, or LEANSCOPE_OTLP_TOKEN',
        ),
        'no-otlp-token': flag('every program on this machine may send profiles'),
      }),
      ...inGroup('Traces', {
        'listen-trace': integer(
          'PORT',
          { least: 0, most: 65_535 },
          'accept TPTP traces from agents on this machine at this port of 127.0.0.1 (0: any free one), and show them live',
        ),
        'trace-format': oneOf(
          ['binary', 'xml'],
          'the form to request from agents (default binary); they may send either',
          'binary',
        ),
      }),
    },
  },
  mcp: {
    usage: 'mcp [FILE…] [--allow DIR]',
    does: 'answer an assistant, in the Model Context Protocol',
    about:
      'Serves an assistant on standard input and output, in the Model Context Protocol: the questions of the other commands as tools, with short answers. It reads the FILEs and files below allowed folders, and nothing else; it writes only new files below allowed folders. leanscope guide is for the assistant.',
    examples: [
      ['mcp app.jfr', 'only this file, and nothing is written'],
      ['mcp --allow recordings', 'all files below a folder'],
    ],
    options: {
      ...inGroup('Access', {
        allow: texts(
          'DIR',
          'a folder whose files may be read, and where exports are written; no links out of it',
        ),
        'allow-attach': flag('JVMs of this machine may be recorded into an allowed folder'),
        budget: duration('a question that takes longer is cut (default 45s)', 45_000),
      }),
    },
  },
  guide: {
    usage: 'guide',
    does: 'how an assistant uses this',
    about:
      'Prints a guide for assistants and scripts: the order of questions, scopes, and how to read the numbers.',
    examples: [
      ['guide', 'for an assistant with a shell'],
      ['guide --quiet', 'the same'],
    ],
    options: {},
  },
  'convert-trace': {
    usage: 'convert-trace FILE -o OUT',
    does: 'convert a TPTP trace in XML to a binary one',
    about: 'Converts a TPTP trace in XML to a binary one, event by event, and prints both sizes.',
    examples: [
      ['convert-trace app.trcxml -o app.trcbin', 'a smaller file'],
      ['convert-trace - -o app.trcbin', 'of standard input'],
    ],
    options: OUTPUT,
  },
  scrub: {
    usage: 'scrub IN.jfr OUT.jfr',
    does: 'copy a JFR recording without what it tells of the machine',
    about: `Copies a JFR recording without the events that hold arguments of the JVM, the environment, system properties, other processes, and objects of the heap with their fields: ${SCRUBBED_EVENTS.join(', ')}. Texts that only the recording's pool holds are overwritten where these events refer to them. Everything else stays byte for byte. Names of classes, methods and threads are in the copy.`,
    examples: [
      ['scrub app.jfr to-send.jfr', 'a recording to send'],
      ['scrub - -o to-send.jfr', 'of standard input'],
    ],
    options: OUTPUT,
  },
  push: {
    usage: 'push FILE --otlp URL',
    does: 'send a profile to a collector or to Pyroscope',
    about: `Sends a profile to a server: an OpenTelemetry collector (OTLP over HTTP, opentelemetry-proto 1.10 and 1.11), or Pyroscope. A server that is not reached, or says that it has too much to do, is tried up to five times. Nothing is sent twice: where it is not known whether the profile was taken, it is said. A password is read from the environment only: LEANSCOPE_PUSH_TOKEN, or LEANSCOPE_PUSH_USER and LEANSCOPE_PUSH_PASSWORD.`,
    examples: [
      ['push app.jfr --otlp http://127.0.0.1:4318', 'to a collector on this machine'],
      ['push app.jfr --pyroscope http://127.0.0.1:4040', 'to Pyroscope'],
    ],
    options: {
      ...inGroup('Server', {
        otlp: text('URL', 'a collector; without a path, /v1development/profiles is meant'),
        pyroscope: text('URL', 'Pyroscope; without a path, /ingest is meant'),
        service: text('NAME', 'the name of the service (default the name of the file)'),
        timeout: duration('give up when nothing happens for so long (default 30s)', 30_000),
      }),
      ...INPUT,
      ...SCOPE,
    },
  },
  jvms: {
    usage: 'jvms',
    does: 'the JVMs of this machine',
    about: `Lists the JVMs of this machine (Linux, macOS) and what is possible with each: jfr, a flight recording can be followed; jfr-dump, its JFR does not flush (JDK 11 to 13, 8u262 and later), and it is shown every few seconds; dumps, its threads can be sampled. CPU is the share of one CPU since the JVM started. A JVM of another user, or one that is not HotSpot, is listed with the reason why it cannot be attached.`,
    examples: [
      ['jvms', 'a table'],
      ['jvms --json', 'for programs'],
    ],
    options: { json: JSON_OPTION },
  },
  record: {
    usage: 'record JVM -o OUT [-d 30s]',
    does: 'record a JVM for a while',
    about: `Records a JVM of this machine (Linux, macOS), and leaves it as it was found. JVM is a pid or a part of the main class or jar; leanscope jvms lists them. OUT is a recording as the JVM made it (.jfr) or any format of leanscope export, by its extension. Without a flight recorder (JDK 11 and later, 8u262 and later), or --with dumps, threads are sampled by thread dumps, at safepoints.`,
    examples: [
      ['record Shop -o shop.jfr -d 1m', 'a minute, as the JVM records it'],
      ['record 4711 -o shop.svg --with dumps', 'a flame graph of thread dumps'],
    ],
    options: {
      ...inGroup('Recording', {
        duration: {
          ...duration('how long: 500ms, 30s, 5m, 1h (default 30s); Ctrl+C ends it earlier', 30_000),
          short: 'd',
        },
        with: oneOf(
          SOURCES,
          'jfr: a flight recording; dumps: thread dumps, for any HotSpot JVM (default jfr where possible)',
        ),
      }),
      ...RECORDING,
      ...SAMPLING,
      ...EXPORT_OPTIONS,
      depth: depth('dumps, hprof: keep the innermost N frames of each stack (default: all)'),
      format: {
        ...oneOf([...SOURCES, ...EXPORT_FORMAT_IDS], 'what to write (default by the extension of OUT)'),
        short: 'f',
        group: 'Output',
      },
      output: { ...OUTPUT.output, help: 'the file to write; required' },
    },
  },
  attach: {
    usage: 'attach JVM',
    does: 'record a JVM, and show it live in the browser',
    about: `Starts a flight recording in a JVM of this machine (Linux, macOS; JDK 11 and later, 8u262 and later) and shows it in the browser as it grows, with execution samples, allocations and locks to choose from. Ctrl+C, or closing its tab, stops the recording. --recording follows one that runs already, which is never stopped. JVM is a pid or a part of the main class or jar; leanscope jvms lists them. --with dumps samples the threads of any HotSpot JVM instead, at safepoints, and --with agent opens the log that Honest Profiler's agent writes.`,
    examples: [
      ['attach Shop --types cpu,locks', 'what runs and what waits for locks'],
      ['attach 4711 --with dumps', 'any HotSpot JVM, by thread dumps'],
    ],
    options: {
      ...inGroup('Recording', {
        with: oneOf(
          [...SOURCES, 'agent'],
          "jfr: a flight recording; dumps: samples by thread dumps, for any HotSpot JVM (default jfr where possible); agent: the log of Honest Profiler's agent in the JVM",
        ),
      }),
      ...inGroup('Flight recording', {
        recording: text(
          'NAME',
          'jfr: follow the recording of this name or number that runs in the JVM, instead of starting one',
        ),
      }),
      ...RECORDING,
      ...SAMPLING,
      depth: depth('dumps: keep the innermost N frames of each stack (default: all)'),
      ...inGroup(DUMPS, {
        thread: texts(
          'NAME',
          'dumps: only threads with this name, pool (http-worker-*) or /regular expression/; dumps name no thread groups',
        ),
      }),
      ...OPEN_OPTIONS,
    },
  },
  agent: {
    usage: 'agent JVM|HOST:PORT COMMAND',
    does: "control Honest Profiler's agent, or print its option line",
    about: `Controls Honest Profiler's agent in a running JVM, over the control port that its options host and port open. The JVM is named by a pid or a part of the main class or jar; leanscope jvms lists them.

  status                       whether it samples, its log and its settings
  start, stop                  samples are written to its log, which a start empties
  get PARAMETER                one of interval, intervalMin, intervalMax, maxFrames, logPath
  set interval MIN [MAX]       in ms, drawn at random between both
  set intervalMin|intervalMax|maxFrames NUMBER
  set logPath PATH             without blanks

  agent options [KEY=VALUE…]   the option that loads the agent with these values, explained

All settings are used from the next start on.`,
    examples: [
      ['agent Shop status', ''],
      ['agent options interval=1 logPath=/tmp/app.hpl', 'the line to start a JVM with'],
    ],
    options: {
      json: flag('status: as one line of JSON with stable names'),
      library: text('PATH', 'options: where liblagent.so is (default /path/to/liblagent.so)'),
    },
  },
  completion: {
    usage: 'completion SHELL',
    does: 'complete commands in bash, zsh or fish',
    about:
      'Prints a script for a shell, which then completes commands, options and their values.\n  bash  source <(leanscope completion bash)             in ~/.bashrc\n  zsh   leanscope completion zsh > FOLDER/_leanscope     FOLDER of $fpath\n  fish  leanscope completion fish > ~/.config/fish/completions/leanscope.fish',
    examples: [
      ['completion bash', ''],
      ['completion fish', ''],
    ],
    options: {},
  },
  help: {
    usage: 'help [COMMAND]',
    does: 'options of a command, as leanscope COMMAND --help',
    about: 'Prints what all commands do, or the options of one.',
    examples: [
      ['help export', ''],
      ['help top --json-schema', 'for programs'],
    ],
    options: {
      man: flag('the manual page of all commands, for man(1)'),
      'json-schema': flag('the JSON Schema of what COMMAND prints with --json'),
    },
  },
  version: {
    usage: 'version',
    does: 'the version',
    about: 'Prints the version.',
    examples: [
      ['version', ''],
      ['version --quiet', 'the same'],
    ],
    options: {},
  },
} as const satisfies Readonly<Record<CommandName, Command>>;

export type CommandName = 'open' | NamedCommand;

/** All commands, in the order of their help. */
export const COMMAND_NAMES: readonly CommandName[] = ['open', ...NAMED_COMMANDS];

export function commandHelp(command: CommandName): Command {
  return COMMANDS[command];
}

/** The help on files, which all commands share. */
export const COMMON = `FILE may be - for standard input, which the desktop app cannot read. After -- everything is a file. --quiet (-q, LEANSCOPE_QUIET) prints no messages; the exit status tells what happened. Several thread dumps, in the order in which they were taken, are one profile; --merge-files merges logs of any format into one (export, summary, top, tree).`;

export const EXIT_STATUS = `Exit status: 0 everything was read and written; 3 a part: the file is damaged, and everything before the damage was used, or the output has reached its limit; 1 nothing could be read or written, or no sample is in scope; 2 the command line is invalid; 4 compare --fail-above: a share grew (1: a profile is empty).`;
