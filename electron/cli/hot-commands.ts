/** What is hot, for people: the commands `top` and `tree`. */
import type { OutputSink } from '../../shared/export/byte-sink.ts';
import { exportHeaviestTree } from '../../shared/export/heaviest-tree.ts';
import { exportTop, TOP_GROUPS, type TopGroup } from '../../shared/export/top.ts';
import { THREAD_GROUPINGS } from '../../shared/trees/grouping.ts';
import { METRICS } from '../../shared/values/metric.ts';
import {
  choiceValue,
  integerValue,
  type OptionSpec,
  type OptionSpecs,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts';
import { type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { WHOLE_OUTPUT_OPTION, writeOutput } from './output.ts';
import { readInScope, SCOPED_INPUT_OPTIONS } from './read-in-scope.ts';
import type { ProfileContents } from './read-profile.ts';

const MOST_ROWS = 1_000_000;
const TOP_ROWS = 20;
const TREE_ROWS = 40;
const PARTS = ['self', 'total'] as const;
const GROUPS = Object.keys(TOP_GROUPS) as readonly TopGroup[];

const METRIC_OPTION: OptionSpec = {
  value: METRICS.join('|'),
  choices: METRICS,
  help: 'what rows are sorted by and percentages are of (default samples)',
};

export const TOP_OPTIONS: OptionSpecs = {
  '--limit': { also: '-n', value: 'ROWS', help: `most rows (default ${TOP_ROWS})` },
  '--by': {
    value: PARTS.join('|'),
    choices: PARTS,
    help: 'the hottest by samples that ended in them, or with them on the stack (default self)',
  },
  '--group': { value: GROUPS.join('|'), choices: GROUPS, help: 'what one row is (default method)' },
  '--metric': METRIC_OPTION,
  '--hide-errors': { help: 'leave out the rows of AsyncGetCallTrace errors' },
  '--filter': { value: 'TEXT', repeatable: true, help: 'only rows whose name contains every TEXT' },
  ...SCOPED_INPUT_OPTIONS,
  '-o': WHOLE_OUTPUT_OPTION,
};

export const TREE_OPTIONS: OptionSpecs = {
  '--limit': {
    also: '-n',
    value: 'ROWS',
    help: `most rows, the heaviest of the tree (default ${TREE_ROWS})`,
  },
  '--threads': {
    value: THREAD_GROUPINGS.join('|'),
    choices: THREAD_GROUPINGS,
    help: 'what threads of one root have in common (default all)',
  },
  '--metric': METRIC_OPTION,
  ...SCOPED_INPUT_OPTIONS,
  '-o': WHOLE_OUTPUT_OPTION,
};

/** Prints the hottest methods, or what else is asked for. */
export async function topCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, TOP_OPTIONS);
  const options = {
    group: choiceValue(args, '--group', GROUPS, 'method'),
    by: choiceValue(args, '--by', PARTS, 'self'),
    limit: integerValue(args, '--limit', 1, MOST_ROWS, TOP_ROWS),
    metric: choiceValue(args, '--metric', METRICS, 'samples'),
    filter: { hideErrors: args.has('--hide-errors'), contains: args.values('--filter') },
  };
  const { profile, read } = await readInScope('top', args, io);
  return writeTable(args, read, io, (sink) => {
    const hints = exportTop(profile, { ...options, units: read.facts.units }, sink);
    for (const hint of hints) writeMessage(io, hint);
  });
}

/** Prints the heaviest part of the call tree. */
export async function treeCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = parseArguments(argv, TREE_OPTIONS);
  const options = {
    limit: integerValue(args, '--limit', 1, MOST_ROWS, TREE_ROWS),
    threads: choiceValue(args, '--threads', THREAD_GROUPINGS, 'all'),
    metric: choiceValue(args, '--metric', METRICS, 'samples'),
  };
  const { profile, read } = await readInScope('tree', args, io);
  return writeTable(args, read, io, (sink) =>
    exportHeaviestTree(profile, { ...options, units: read.facts.units }, sink),
  );
}

function writeTable(
  args: ParsedArguments,
  { problems, status }: ProfileContents,
  io: CommandIo,
  write: (sink: OutputSink) => void,
): ExitStatus {
  writeOutput(args.value('-o'), args.files, io, write);
  for (const problem of problems) writeMessage(io, problem);
  return status;
}
