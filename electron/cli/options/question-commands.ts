import { EXPORT_PURPOSES } from '../../../shared/export/export-formats.ts';
import { COMPARE_FORMATS } from '../../../shared/export/compare-list.ts';
import { alignedLines } from '../../../shared/text/aligned-lines.ts';
import { capitalised } from '../../../shared/text/format-value.ts';
import { CHECK_IDS } from '../../../shared/findings/check-list.ts';
import { TIMELINE_ROWS } from '../../../shared/answers/timeline.ts';
import {
  TOP_GROUP_IDS,
  JSON_OPTION,
  ANSWER,
  THREADS,
  threadGrouping,
  FRAMES,
  PROJECT,
  INPUT,
  ANSWERED_SCOPE,
  EXPORT_OPTIONS,
  COMPARE_OPTIONS,
  METRIC,
  limit,
} from './command-options.ts';
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

/** A command and its help. */
export interface Command {
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

/** The options that commands share which answer one question about a profile. */
const ASKED = { ...ANSWERED_SCOPE, ...INPUT, ...ANSWER };

/** The options of commands that judge a profile. */
const JUDGED = { ...PROJECT, ...FRAMES, ...ANSWERED_SCOPE, ...INPUT };

/** The commands that ask about profiles, each of them a question of the engine. */
export const QUESTIONS = {
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
        filter: texts('TEXT', 'only rows whose name contains every TEXT'),
      }),
      ...ASKED,
    },
  },
  tree: {
    usage: 'tree FILE…',
    does: 'the heaviest calls, as a tree',
    about: `Prints the heaviest calls: callers above what they call, the heaviest first. Frames that are always called one by another are one line. What is left out is said at its place, so that the lines below a line, and the samples that ended in it, are all that it has. --format tree of leanscope export has the complete tree, for programs.`,
    examples: [
      ['tree app.jfr --thread main --limit 60', 'what the thread main does'],
      ['tree app.jfr --threads context:operation', 'what each operation does'],
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
        threads: threadGrouping(`${THREADS} (default all)`),
        metric: METRIC,
      }),
      ...ASKED,
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
      ...ASKED,
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
      ...ASKED,
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
      ['spread app.jfr --threads context:operation', 'which operations do something else'],
      ['spread app.jfr --every 10m', 'in every ten minutes'],
      ['spread run*.jfr --by total', 'runs that differ from the others'],
    ],
    options: {
      ...inGroup('Rows', {
        by: oneOf(['self', 'total'], 'the shares that are compared (default self)', 'self'),
        limit: limit('', 20),
        threads: threadGrouping(
          'what a part is (default name for a dataset and one FILE, group for several); time: equal parts of the time; context:KEY: requests by an attribute, as context:operation',
          'time',
        ),
        every: duration('parts of the time of this length, which begin at its multiples, in UTC', 0),
        metric: METRIC,
      }),
      ...ASKED,
    },
  },
  operations: {
    usage: 'operations FILE…',
    does: 'how long requests took, and their samples',
    about:
      'Prints the operations that a recording has: contextual events of JDK 25, traced methods, spans of async-profiler, calls of a TPTP trace. --by prints the values of another of their attributes, --every the requests that began in each part of the time, where there are some. Every other command counts the samples of some of them with --context, and of slow ones with --took and --slower.',
    examples: [
      ['operations app.jfr', 'durations and samples'],
      ['operations app.jfr --context operation=checkout --by user', 'who asked for one'],
      ['operations app.jfr --context operation=checkout --every 1m', 'when it was slow'],
    ],
    options: {
      ...inGroup('Rows', {
        by: text('KEY', 'the attribute whose values are rows (default operation)'),
        every: duration('rows are parts of the time of this length, which begin at its multiples, in UTC', 0),
        limit: limit('', 20),
      }),
      ...ASKED,
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
        events: flag('how many events of each type are in the file, too; --json always has them'),
        'jvm-arguments': flag("the JVM's command line, too, which may hold passwords"),
      }),
      ...JUDGED,
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
      ...JUDGED,
    },
  },
} as const satisfies Readonly<Record<string, Command>>;
