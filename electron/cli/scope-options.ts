import { MACHINE_NAMES, type MachineName, type Scope, type Transform } from '../../shared/scope/scope.ts';
import { typedThreads } from '../../shared/scope/thread-pattern.ts';
import { threadTest } from '../../shared/scope/thread-test.ts';
import { FRAME_GROUPINGS, type FrameGrouping } from '../../shared/trees/grouping.ts';
import { choiceValue, type OptionSpec, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';
import { TIME_OPTIONS } from './time-options.ts';

const RECURSIONS = ['direct', 'all'] as const;
/** Values of --fold that stand for all kinds of machine-made names, and for none. */
const ALL_NAMES = 'all';
const NO_NAMES = 'none';

/** What is looked at (specs: cli, "Scope"). Transforms are applied in the order in which they are given. */
export const SCOPE_OPTIONS: OptionSpecs = {
  ...TIME_OPTIONS,
  '--thread': {
    value: 'NAME',
    repeatable: true,
    help: 'only samples of these threads; a pool as http-worker-*, or /…/, a regular expression',
  },
  '--keep': { value: 'KEY', repeatable: true, help: 'only samples with KEY on their stack' },
  '--drop': { value: 'KEY', repeatable: true, help: 'only samples without KEY on their stack' },
  '--focus': {
    value: 'KEY',
    repeatable: true,
    help: 'only samples with KEY, and their stacks begin at its outermost frame',
  },
  '--merge': {
    value: 'KEY',
    repeatable: true,
    help: 'leave out the frames of KEY; what they called is called by their callers',
  },
  '--only': {
    value: 'PREFIX',
    repeatable: true,
    help: 'leave out the frames whose keys begin with none of these',
  },
  '--collapse': {
    value: 'PREFIX',
    repeatable: true,
    help: 'adjacent frames whose keys begin with PREFIX are one frame, PREFIX*',
  },
  '--collapse-class': {
    value: 'CLASS',
    repeatable: true,
    help: 'adjacent frames of CLASS and of classes nested in it are one frame, CLASS.*',
  },
  '--collapse-recursion': {
    value: RECURSIONS.join('|'),
    choices: RECURSIONS,
    repeatable: true,
    help: 'direct: of adjacent equal frames the innermost stays; all: a frame that occurs again deeper jumps to its last occurrence',
  },
  '--fold': {
    value: `all|none|${MACHINE_NAMES.join(',')}`,
    repeatable: true,
    help: 'replace machine-made names by stable ones: Shop$$Lambda/0x7f12 by Shop$$Lambda (default none; compare: all)',
  },
};

/** All that narrows or changes what is looked at, but for the time range. Throws UsageError. */
export function scopeOf(args: ParsedArguments): Scope {
  const threads = threadsOf(args, '--thread');
  // The prefixes of all --only are one transform, at the place of the first: a frame stays if it begins with any of them.
  const firstOnly = args.inOrder.findIndex(({ option }) => option === '--only');
  const transforms = args.inOrder
    .filter(({ option }, at) => option !== '--only' || at === firstOnly)
    .map(({ option, value }) => transformOf(option, value, args))
    .filter((transform) => transform !== undefined);
  return { threads, transforms };
}

/**
 * The scope of profiles of two runs: without --fold, machine-made names are folded before all else, because they contain
 * addresses and numbers of one run. Throws UsageError.
 */
export function scopeOfRuns(args: ParsedArguments): Scope {
  const scope = scopeOf(args);
  if (args.has('--fold')) return scope;
  return { ...scope, transforms: [{ kind: 'fold', names: MACHINE_NAMES }, ...scope.transforms] };
}

/** `Scope.threads` of an option; empty without it. Throws UsageError. */
export function threadsOf(args: ParsedArguments, option: string): readonly string[] {
  const threads = typedThreads(args.values(option));
  try {
    threadTest(threads);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option} is no regular expression: ${reason}`);
  }
  return threads;
}

/** What frames of one row, and of one key of a scope, have in common. */
export const FRAMES_OPTION: OptionSpec = {
  value: FRAME_GROUPINGS.join('|'),
  choices: FRAME_GROUPINGS,
  help: 'what frames of one row and of one KEY have in common (default fqmn: class and method)',
};

export function framesOf(args: ParsedArguments): FrameGrouping {
  return choiceValue(args, '--frames', FRAME_GROUPINGS, 'fqmn');
}

/** undefined: another option. */
function transformOf(option: string, value: string, args: ParsedArguments): Transform | undefined {
  switch (option) {
    case '--keep':
      return { kind: 'keep', key: value };
    case '--drop':
      return { kind: 'drop', key: value };
    case '--focus':
      return { kind: 'focus', key: value };
    case '--merge':
      return { kind: 'merge', key: value };
    case '--only':
      return { kind: 'only', prefixes: args.values('--only') };
    case '--collapse':
      return { kind: 'collapse', prefix: value };
    case '--collapse-class':
      return { kind: 'collapse-class', className: value };
    case '--collapse-recursion':
      return { kind: 'collapse-recursion', of: value === 'all' ? 'all' : 'direct' };
    case '--fold':
      if (value === NO_NAMES) return undefined;
      return { kind: 'fold', names: value === ALL_NAMES ? MACHINE_NAMES : value.split(',').map(machineName) };
    default:
      return undefined;
  }
}

function machineName(text: string): MachineName {
  const name = MACHINE_NAMES.find((each) => each === text);
  if (name === undefined)
    throw new UsageError(
      `--fold cannot be '${text}': it is ${ALL_NAMES}, ${NO_NAMES}, or some of ${MACHINE_NAMES.join(',')}${didYouMean(text, MACHINE_NAMES)}`,
    );
  return name;
}
