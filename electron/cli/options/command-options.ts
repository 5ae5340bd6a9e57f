/** The options that several commands have, and those of the commands with most. */
import { CHANGE_NAMES } from '../../../shared/engine/views/row-conditions.ts';
import {
  COMPARE_FORMAT_IDS,
  compareFormatsWith,
  type CompareOption,
} from '../../../shared/export/compare-list.ts';
import { MOST_EXPORTED_BYTES } from '../../../shared/export/export-input.ts';
import type { ExportOption } from '../../../shared/export/export-list.ts';
import { EXPORT_FORMAT_IDS, formatsWith } from '../../../shared/export/export-formats.ts';
import { DEFAULT_SVG_WIDTH } from '../../../shared/export/flame-svg.ts';
import { DEFAULT_BUCKETS } from '../../../shared/export/timeline.ts';
import { TOP_GROUPS, type TopGroup } from '../../../shared/export/top.ts';
import { MERGED_THREADS } from '../../../shared/facts/choice.ts';
import {
  RECORDED_TYPES,
  RECORDING_SETTINGS,
  SAMPLING_RANGES,
  THREAD_STATES,
} from '../../../shared/facts/recording-choice.ts';
import { formatBytes } from '../../../shared/text/format-value.ts';
import {
  FRAME_GROUPINGS,
  parseThreadGrouping,
  type Recursion,
  THREAD_GROUPINGS,
  type ThreadGrouping,
} from '../../../shared/engine/trees/grouping.ts';
import { METRICS } from '../../../shared/engine/values/metric.ts';
import {
  decimal,
  duration,
  flag,
  inGroup,
  integer,
  oneOf,
  type Option,
  pairs,
  someOf,
  text,
  texts,
  withVariables,
} from './options.ts';
import { FLEET_GROUPS } from '../../fleet/fleet-address.ts';
import { BASE_OPTIONS, SCOPE_OPTIONS } from './scope-options.ts';

/** The formats with an option, for help texts: `svg, collapsed`. */
function formatNames(option: ExportOption): string {
  return formatsWith(option).join(', ');
}

/** The formats of a comparison with an option, as help lists them. */
function comparedAs(option: CompareOption): string {
  return compareFormatsWith(option).join(', ');
}

/** The format of an export that is a folder. */
export const DATASET = 'dataset';

const RECURSIONS: readonly Recursion[] = ['once', 'per-level'];
const THEMES = ['light', 'dark'] as const;
export const SOURCES = ['jfr', 'dumps'] as const;
export const TOP_GROUP_IDS = Object.keys(TOP_GROUPS) as readonly TopGroup[];
export const JSON_OPTION = flag('as one line of JSON with stable names');
const RECURSION = oneOf(
  RECURSIONS,
  `${formatNames('recursion')}: how often a sample counts for a recursive method (default once)`,
  'once',
);
/** The grouping of threads. `more`: further parts, where a command has some. */
export function threadGrouping(help: string): Option<ThreadGrouping | undefined>;
export function threadGrouping(help: string, more: 'time'): Option<ThreadGrouping | 'time' | undefined>;
export function threadGrouping(help: string, more?: 'time'): Option<ThreadGrouping | 'time' | undefined> {
  const named = oneOf([...THREAD_GROUPINGS, ...(more === undefined ? [] : [more])], help);
  return {
    ...named,
    value: `${named.value}|context:KEY`,
    read: (given, name) => {
      const [last] = given.slice(-1);
      return (given.length === 0 ? undefined : parseThreadGrouping(last)) ?? named.read(given, name);
    },
  };
}

export const THREADS =
  'what threads of one root have in common; context:KEY: an attribute of the request that they were in, as context:operation';
const HIDE_ERRORS = flag(
  'leave out samples whose stack AsyncGetCallTrace could not walk, and threads without a name; flat, tree: only their rows, and sums stay as in Honest Profiler',
);

export const OUTPUT = inGroup('Output', {
  output: {
    ...text('OUT', 'write to OUT; an incomplete file never appears (default standard output)'),
    short: 'o',
  },
});

/** The output of a command that answers people or programs. */
export const ANSWER = { ...OUTPUT, ...inGroup('Output', { json: JSON_OPTION }) };

const LIMITED_OUTPUT = {
  ...OUTPUT,
  ...inGroup('Output', {
    'no-limit': flag(
      `write more than ${formatBytes(MOST_EXPORTED_BYTES)}, too; otherwise the output ends there, with exit status 3`,
    ),
  }),
};

/** The project file. */
export const PROJECT = inGroup(
  'Project',
  withVariables({
    project: text(
      'PATH',
      'the project file (default .leanscope.json of the working directory, if there is one)',
    ),
  }),
);

export const FRAMES = inGroup('Rows', {
  frames: oneOf(
    FRAME_GROUPINGS,
    'what frames of one row and of one KEY have in common (default fqmn: class and method)',
    'fqmn',
  ),
});

const CHOOSE = pairs(
  'how to read a file that holds several profiles or lacks information: sample-type=cpu, period=10; leanscope summary lists the choices of a file',
);

const FILE_INPUT = inGroup('Input', {
  choose: CHOOSE,
  'merge-files': oneOf(
    MERGED_THREADS,
    'the FILEs are logs of one system, and are merged into one profile. groups: threads have the name of their file in front, and --threads group has one root per file; together: threads of one name are one',
  ),
});

/** The questions to a dataset or a database, where FILE is one. */
export const FLEET = inGroup('Dataset or database', {
  where: text('CONDITION', "a condition of SQL about the samples: \"service = 'shop' and host like 'web%'\""),
  per: oneOf(FLEET_GROUPS, 'the column whose values are the threads (default pool)', 'pool'),
  sql: text(
    'QUERY',
    'a query of SQL whose result is the profile: the columns stack, samples or value, and optionally time, thread and label_…',
  ),
  order: oneOf(['leaf', 'root'], '--sql: the end of a stack that comes first (default leaf)', 'leaf'),
});

export const INPUT = { ...FILE_INPUT, ...FLEET };

const SCOPE_GROUP = 'Scope (which samples count, and their stacks; in the order given)';

export const SCOPE = inGroup(SCOPE_GROUP, SCOPE_OPTIONS);

/** The scope of a command that answers. */
export const ANSWERED_SCOPE = {
  ...SCOPE,
  ...inGroup(SCOPE_GROUP, {
    'count-all': flag(
      'samples without a stack count, too, and idle threads. Without it both are left out: idle threads, as --leave-out idle does, of thread dumps, wall-clock samples, waits for locks, and recordings with many waiting threads',
    ),
  }),
};

/** The options of a drawing. */
function drawing(formats: string) {
  return inGroup('Drawing', {
    theme: oneOf(THEMES, `${formats} (default light)`, 'light'),
    icicle: flag(`${formats}: the graph begins at the top and grows downward, as icicles do`),
    width: integer(
      'PIXELS',
      { least: 200, most: 100_000 },
      `${formats} (default ${DEFAULT_SVG_WIDTH})`,
      DEFAULT_SVG_WIDTH,
    ),
  });
}

/** The options for what pages leave out of their profiles. */
const PAGE_OPTIONS = inGroup('Profile in the file', {
  anonymous: texts(
    'PREFIX=*',
    'html, svg: replace the names of classes below PREFIX, their methods, and threads that begin with it, each name by the same one everywhere',
  ),
  'no-threads': flag('html, svg: all stacks are in one thread'),
  'no-times': flag('html, svg: without the times of samples'),
  note: text('TEXT', 'html: a note to the reader'),
});

/** The options for the profile that a file carries. */
export const CARRIED_OPTIONS = {
  ...PAGE_OPTIONS,
  ...inGroup('Profile in the file', {
    include: oneOf(
      ['scope', 'all'],
      'html, svg: only what is in scope, so that the rest cannot be found in the file, or everything (default scope)',
      'scope',
    ),
    embed: oneOf(
      ['yes', 'no'],
      'svg: whether it carries its profile, and can be opened as one (default yes, up to 2 MB)',
    ),
  }),
};

export const EXPORT_OPTIONS = {
  format: {
    ...oneOf([...EXPORT_FORMAT_IDS, DATASET], 'what to write (default by the extension of OUT)'),
    short: 'f',
    group: 'Output',
  },
  ...LIMITED_OUTPUT,
  ...FRAMES,
  ...inGroup('Rows', {
    threads: threadGrouping(`${THREADS} (default name for tree, else all)`),
    recursion: RECURSION,
    metric: oneOf(
      METRICS,
      'svg, collapsed: the weight; csv, methods: the sort order; methods: what shares are of (default samples)',
      'samples',
    ),
    'hide-errors': HIDE_ERRORS,
    filter: texts(
      'TEXT',
      'only rows whose key contains every TEXT; trees also keep the rows above them; collapsed: only stacks with such a frame',
    ),
    method: text(
      'KEY',
      `${formatNames('method')}: the method, required; its key as --format flat writes it with the same --frames`,
    ),
    depth: integer(
      'FRAMES',
      { least: 1, most: 32_767 },
      `${formatNames('depth')}: keep only this many frames of deeper stacks, those next to the leaf`,
    ),
    buckets: integer(
      'N',
      { least: 1, most: 1_000_000 },
      `${formatNames('buckets')}: number of lines (default ${DEFAULT_BUCKETS})`,
      DEFAULT_BUCKETS,
    ),
    measured: flag(
      `${formatNames('buckets')}: a line with the names of columns, and columns for what else is known over time: GC pauses (ns), CPU load and heap of a recording, errors, time in gaps (ns)`,
    ),
  }),
  ...inGroup('Output as a dataset', {
    every: {
      ...duration(
        'dataset: sum samples by intervals of this length, pool and stack (default: all of a file, by thread and stack)',
        0,
      ),
    },
    label: pairs('dataset: service, host, instance and version of the samples (default host: this machine)'),
  }),
  ...inGroup('Drawing', {
    title: text('TEXT', `${formatNames('title')} (default the name of the file)`),
    search: text('TEXT', 'svg: highlight frames that contain TEXT or match the regular expression /TEXT/'),
    root: text('KEY', 'svg: zoom to the heaviest frame with this key'),
  }),
  ...drawing('svg, png'),
  ...CARRIED_OPTIONS,
  ...SCOPE,
  ...INPUT,
};

export const COMPARE_OPTIONS = {
  format: {
    ...oneOf(COMPARE_FORMAT_IDS, 'what to write (default report)', 'report'),
    short: 'f',
    group: 'Output',
  },
  ...LIMITED_OUTPUT,
  ...inGroup('Output', { json: JSON_OPTION }),
  ...inGroup('Many runs', {
    against: text(
      'NEW…',
      'compare all files before it, runs of one program, with all after it: what changed by more than runs differ from each other (report, report-md)',
    ),
  }),
  ...inGroup('Gate', {
    'fail-above': decimal(
      'POINTS',
      { least: 0, most: 100, unit: 'percentage points' },
      'exit status 4 if the share of a method grew by more than so many percentage points, and chance does not explain that it grew',
    ),
    key: text('PREFIX', '--fail-above: only methods whose keys begin with PREFIX'),
  }),
  ...FRAMES,
  ...inGroup('Rows', {
    threads: threadGrouping(`${comparedAs('threads')}: ${THREADS} (default name for tree, else all)`),
    recursion: {
      ...RECURSION,
      help: `${comparedAs('recursion')}: how often a sample counts for a recursive method (default once)`,
    },
    metric: oneOf(METRICS, 'report, csv, svg, --fail-above: what shares are of (default samples)', 'samples'),
    normalize: oneOf(
      ['share', 'none'],
      `${comparedAs('normalize')}: compare shares of the own total of each profile, or numbers as they are (default share for svg, else none)`,
    ),
    rows: oneOf(
      CHANGE_NAMES,
      `${comparedAs('rows')}: rows of NEW alone, of BASE alone, or whose share differs by a point or more`,
    ),
    'hide-errors': HIDE_ERRORS,
    filter: texts('TEXT', 'only rows whose key contains every TEXT'),
    limit: limit(' of each list: report, report-md, html, --json', 30),
  }),
  ...inGroup(
    'Output',
    withVariables({
      source: texts(
        'PATH',
        `${comparedAs('source')}: a folder of sources, or of a project with src/main/java, whose files are named`,
      ),
    }),
  ),
  ...inGroup('Drawing', {
    title: text('TEXT', comparedAs('title')),
    root: text('KEY', `${comparedAs('root')}: zoom to the widest frame with this key`),
  }),
  ...drawing(comparedAs('theme')),
  ...PAGE_OPTIONS,
  ...ANSWERED_SCOPE,
  ...inGroup('One side only', {
    ...BASE_OPTIONS,
    'where-base': text(
      'CONDITION',
      'the --where of BASE, if it is another one: two versions, or two days of a dataset',
    ),
    'choose-base': { ...CHOOSE, help: 'as --choose, for BASE only: to compare two sample types' },
    'choose-new': { ...CHOOSE, help: 'as --choose, for NEW only' },
  }),
  ...inGroup('Input', { choose: CHOOSE }),
  ...FLEET,
};

export const METRIC = oneOf(
  METRICS,
  'what rows are sorted by and percentages are of (default time for allocations, waits, calls and CPU time, else samples)',
);

export function limit(what: string, otherwise: number): Option<number> {
  const bounds = { least: 1, most: 1_000_000 };
  const { limit: made } = withVariables({
    limit: integer('ROWS', bounds, `most rows${what} (default ${otherwise})`, otherwise),
  });
  return { ...made, short: 'n' };
}

export const OPEN_OPTIONS = withVariables({
  ...inGroup('Window', {
    source: texts(
      'PATH',
      'a folder of sources, or a -sources.jar: the window shows methods with their samples by line',
    ),
    editor: text(
      'COMMAND',
      'what opens a source file at a line, such as "code -g {file}:{line}" (default: the first editor found)',
    ),
  }),
  ...inGroup('Server', {
    port: integer('N', { least: 0, most: 65_535 }, 'port on 127.0.0.1 (default 0: any free one)', 0),
    'no-open': flag('print the address, and do not open the browser'),
  }),
});

export const FILE_OPTIONS = {
  ...inGroup('Files', {
    wait: flag('open files that do not exist yet, too, and wait for them, as serve always does'),
    follow: flag('no effect: files are always followed as they grow'),
  }),
  ...FLEET,
};

export const RECORDING = inGroup('Flight recording', {
  settings: oneOf(
    RECORDING_SETTINGS,
    "jfr: the JDK's settings of this name (default profile: a sample every 10 or 20 ms)",
    'profile',
  ),
  types: someOf(
    'TYPE,…',
    RECORDED_TYPES,
    `jfr: sample these types only: ${RECORDED_TYPES.join(', ')} (default: all; cpu-time needs Linux and JDK 25)`,
  ),
});

export const DUMPS = 'Thread dumps';
export const SAMPLING = inGroup(DUMPS, {
  interval: duration(
    'dumps: the time between two of them (default 20ms); sampling ends when they have 2 GB',
    20,
  ),
  share: decimal(
    'PERCENT',
    SAMPLING_RANGES.sharePercent,
    "dumps: largest share of the JVM's time, percent (default 1); the interval grows if needed",
  ),
  states: someOf(
    'STATE,…',
    THREAD_STATES,
    `dumps: count threads in these states only: ${THREAD_STATES.join(', ')}`,
  ),
});

export function depth(help: string): Option<number | undefined> {
  return { ...integer('N', SAMPLING_RANGES.depth, help), group: DUMPS };
}
