/** The commands and their options. Parsing, errors and --help are made from this table. */
import { EXPORT_FORMAT_IDS, EXPORT_PURPOSES } from '../../shared/export/export-formats.ts';
import { COMPARE_FORMATS } from '../../shared/export/compare-list.ts';
import { alignedLines } from '../../shared/text/aligned-lines.ts';
import { capitalised } from '../../shared/text/format-value.ts';
import { CHECK_IDS } from '../../shared/findings/check-list.ts';
import { SCRUBBED_EVENTS } from '../../shared/formats/jfr/scrub.ts';
import { MERGED_THREADS } from '../../shared/facts/choice.ts';
import { TIMELINE_ROWS } from '../../shared/answers/timeline.ts';
import { THREAD_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import type { NamedCommand } from '../runtime/command-names.ts';
import {
  duration,
  flag,
  inGroup,
  integer,
  oneOf,
  type Options,
  someOf,
  text,
  texts,
  withVariables,
} from './options.ts';
import {
  SOURCES,
  TOP_GROUP_IDS,
  JSON_OPTION,
  ANSWER,
  THREADS,
  OUTPUT,
  FRAMES,
  PROJECT,
  INPUT,
  SCOPE,
  EXPORT_OPTIONS,
  COMPARE_OPTIONS,
  METRIC,
  limit,
  OPEN_OPTIONS,
  FILE_OPTIONS,
  RECORDING,
  DUMPS,
  SAMPLING,
  depth,
} from './command-options.ts';

/** A command and its help. */
interface Command {
  /** The arguments after the program's name. */
  readonly usage: string;
  /** A line for the list of all commands: its effect. */
  readonly does: string;
  /** Paragraphs. A line that begins with blanks is not wrapped. */
  readonly about: string;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly options: Options;
}

/** Formats and what they are, a line each. */
function formatList(formats: readonly { readonly id: string; readonly does: string }[]): string {
  return alignedLines(formats.map(({ id, does }) => [`  ${id}`, does])).join('\n');
}

export const COMMANDS = {
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
  top: {
    usage: 'top FILE…',
    does: 'the hottest methods, packages, lines, threads or pools',
    about: 'Prints a table of what is hot. A sample counts once for a row, however often it is on the stack.',
    examples: [
      ['top app.jfr --by total --group package', 'the packages with most samples'],
      ['top app.jfr --json --limit 5', 'for programs'],
    ],
    options: {
      ...inGroup('Rows', {
        limit: limit('', 20),
        by: oneOf(
          ['self', 'total'],
          'the hottest by samples that ended in them, or with them on the stack (default self)',
          'self',
        ),
        group: oneOf(TOP_GROUP_IDS, 'what one row is (default method)', 'method'),
        metric: METRIC,
        'hide-errors': flag('leave out the rows of AsyncGetCallTrace errors'),
        filter: texts('TEXT', 'only rows whose name contains every TEXT'),
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  tree: {
    usage: 'tree FILE…',
    does: 'the heaviest calls, as a tree',
    about: `Prints the heaviest calls: callers above what they call, the heaviest first. Frames that are always called one by another are one line. What is left out is said at its place, so that the lines below a line, and the samples that ended in it, are all that it has. --format tree of leanscope export has the complete tree, for programs.`,
    examples: [
      ['tree app.jfr --thread main --limit 60', 'what the thread main does'],
      ['tree app.jfr --of callers --method com.example.Shop.price', 'who calls a method'],
    ],
    options: {
      ...inGroup('Rows', {
        of: oneOf(
          ['calls', 'callers', 'callees', 'bottom-up'],
          'calls from threads on; who calls a method; what it calls; the methods in which samples ended, with their callers (default calls)',
          'calls',
        ),
        method: text('KEY', '--of callers, callees: the method'),
        limit: limit(', the heaviest of the tree', 40),
        threads: oneOf(THREAD_GROUPINGS, `${THREADS} (default all)`, 'all'),
        metric: METRIC,
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  method: {
    usage: 'method KEY FILE…',
    does: 'callers, callees, lines, threads and stacks of one method',
    about:
      'Prints what is known of one method: who calls it, what it calls, its hottest lines, when and in which threads it is on stacks, and the three heaviest whole stacks. KEY is the full name of a method, as leanscope top prints it.',
    examples: [
      ['method com.example.Shop.price app.jfr', 'all about a method'],
      ['method com.example.Shop.price app.jfr --source . --limit 5', 'with the text of its lines'],
    ],
    options: {
      ...inGroup('Rows', {
        limit: limit(' of each list', 10),
        ...withVariables({
          source: texts(
            'PATH',
            'a folder of sources, or of a project with src/main/java: lines are printed with their text',
          ),
        }),
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  timeline: {
    usage: 'timeline FILE…',
    does: 'how many samples were taken when, with the bursts',
    about:
      'Prints how many samples each part of the time has, for all threads, or for each thread, pool or method in which samples ended. Bursts are printed as the options --from and --to, which every other command takes.',
    examples: [
      ['timeline app.jfr', 'a chart'],
      ['timeline app.jfr --by pool --parts 48', 'a row for each pool of threads'],
    ],
    options: {
      ...inGroup('Rows', {
        by: oneOf(TIMELINE_ROWS, 'what a row is; method: where samples ended (default all)', 'all'),
        parts: integer('N', { least: 2, most: 200 }, 'equal parts of the time (default 24)', 24),
        limit: limit('', 10),
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  spread: {
    usage: 'spread FILE…',
    does: 'which hosts, threads or runs differ, and since when',
    about: `Prints how the shares of methods are spread over the parts of a profile, and the parts that stand out. The parts of a dataset are its hosts, or what --per says; with --per hour or --per date, a lasting change is printed with its first part. Several FILEs are the parts of their profile; those of one FILE are its threads, with --threads time equal parts of its time, or with --every 10m, --per hour and --per date parts of this length.

A part stands out if its share differs by half a percentage point, and by 3.5 deviations, from the median of all. A deviation is made of how parts differ from each other (median absolute deviation), and of their numbers of samples.`,
    examples: [
      ['spread fleet', 'the hosts of a dataset that differ'],
      ['spread fleet --per hour', 'since when a method is slower'],
      ['spread app.jfr --threads time', 'what changed while a program ran'],
      ['spread app.jfr --every 10m', 'in every ten minutes'],
      ['spread run*.jfr --by total', 'runs that differ from the others'],
    ],
    options: {
      ...inGroup('Rows', {
        by: oneOf(['self', 'total'], 'the shares that are compared (default self)', 'self'),
        limit: limit('', 20),
        threads: oneOf(
          [...THREAD_GROUPINGS, 'time'],
          'what a part is (default name for a dataset and one FILE, group for several); time: equal parts of the time',
        ),
        every: duration('parts of the time of this length, which begin at its multiples, in UTC', 0),
        metric: METRIC,
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  operations: {
    usage: 'operations FILE…',
    does: 'how long requests took, and their samples',
    about:
      'Prints the operations that a recording has: contextual events of JDK 25, traced methods, spans of async-profiler. --by prints the values of another of their attributes. Every other command counts the samples of some of them with --context, and of the slowest with --slower.',
    examples: [
      ['operations app.jfr', 'durations and samples'],
      ['operations app.jfr --context operation=checkout --by user', 'who asked for one'],
    ],
    options: {
      ...inGroup('Rows', {
        by: text('KEY', 'the attribute whose values are rows (default operation)'),
        limit: limit('', 20),
      }),
      ...SCOPE,
      ...INPUT,
      ...ANSWER,
    },
  },
  export: {
    usage: 'export FILE… [--format FORMAT] [-o OUT]',
    does: 'write a view of a profile, or all of it in another format',
    about: `Writes one view of a profile, or the complete profile in another format. Text is UTF-8. The extension of OUT names the format, as in -o app.svg; leanscope top and leanscope tree print what is hot.

${EXPORT_PURPOSES.map(({ purpose, formats }) => `${capitalised(purpose)}:\n${formatList(formats)}`).join('\n\n')}

Fields of lean, flat, tree, bottom-up, callers, callees and timeline are separated by tabs.`,
    examples: [
      ['export app.jfr -o app.svg', 'a flame graph'],
      ['export app.hpl -f callers --method com.example.Shop.price', 'who calls a method'],
    ],
    options: EXPORT_OPTIONS,
  },
  compare: {
    usage: 'compare BASE NEW',
    does: 'what changed from one profile to another',
    about: `Writes what changed from one profile to another. Methods and threads are joined by their keys.

${formatList(COMPARE_FORMATS)}

The scope is that of both profiles. Machine-made names, such as those of lambdas, are folded: they differ from run to run. --fold none compares them as they are.

One pair of recordings cannot tell a change from the difference between two runs. With --against, several runs of each side are compared: what changed by more than runs of one side differ from each other.`,
    examples: [
      ['compare before.jfr after.jfr -o change.html', 'a report to send'],
      ['compare before.jfr after.jfr --fail-above 2', 'a gate: 2 percentage points'],
      ['compare before*.jfr --against after*.jfr', 'many runs with many'],
    ],
    options: COMPARE_OPTIONS,
  },
  summary: {
    usage: 'summary FILE…',
    does: 'why it is slow, contents of a file, its options, and damage',
    about:
      'Prints the answer first: where the time goes, the hot path, the hottest methods with their threads, bursts and findings, as the window shows them. Then contents of the file, its choices, and damage.',
    examples: [
      ['summary app.jfr', 'why it is slow'],
      ['summary app.jfr --json', 'for programs'],
    ],
    options: {
      ...inGroup('Output', {
        json: JSON_OPTION,
        'with-idle': flag('idle threads count, too, where the file has samples of them'),
        events: flag('how many events of each type are in the file, too; --json always has them'),
        'jvm-arguments': flag("the JVM's command line, too, which may hold passwords"),
      }),
      ...PROJECT,
      ...FRAMES,
      ...SCOPE,
      ...INPUT,
    },
  },
  findings: {
    usage: 'findings FILE…',
    does: 'what is wrong, with how sure that is',
    about: `Prints what is probably wrong in a program, found in its profile: each finding with its share and the 95 % interval of that, the nearest frame of your own code, why it matters, when it must not be believed, and what to do. A finding needs at least 30 samples, and the lower end of its interval above a threshold. What happens only while the program starts is left out.

Your own code is all that is in neither the JDK nor a known framework, or what the project file names:
  {"own": ["com.acme."], "suppress": [{"id": "F15", "key": "com.acme.Audit.log", "why": "audit"}]}`,
    examples: [
      ['findings app.jfr', 'what is wrong'],
      ['findings app.jfr --json --fail-on warn', 'a gate, for programs'],
    ],
    options: {
      ...inGroup('Output', {
        json: JSON_OPTION,
        limit: limit('', 100),
        checks: someOf('ID,…', CHECK_IDS, 'only these checks, such as F3,F6'),
        'fail-on': oneOf(['warn', 'info'], 'exit status 4 if there is a warning, or any finding'),
      }),
      ...PROJECT,
      ...FRAMES,
      ...SCOPE,
      ...INPUT,
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

export function commandHelp(command: CommandName): Command {
  return COMMANDS[command];
}

/** The help on files, which all commands share. */
export const COMMON = `FILE may be - for standard input, which the desktop app cannot read. After -- everything is a file. --quiet (-q, LEANSCOPE_QUIET) prints no messages; the exit status tells what happened. Several thread dumps, in the order in which they were taken, are one profile; --merge-files merges logs of any format into one (export, summary, top, tree).`;

export const EXIT_STATUS = `Exit status: 0 everything was read and written; 3 a part: the file is damaged, and everything before the damage was used, or the output has reached its limit; 1 nothing could be read or written, or no sample is in scope; 2 the command line is invalid; 4 compare --fail-above: a share grew (1: a profile is empty).`;
