import { MACHINE_NAMES, type MachineName, type Scope, type Transform } from '../../shared/scope/scope.ts';
import { typedThreads } from '../../shared/scope/thread-pattern.ts';
import { threadTest } from '../../shared/scope/thread-test.ts';
import { didYouMean, UsageError } from './command-io.ts';
import { type GivenOption, moment, oneOf, texts, wrongValue } from './options.ts';

const RECURSIONS = ['direct', 'all'] as const;
/** Values of --fold that stand for all kinds of machine-made names, and for none. */
const ALL_NAMES = 'all';
const NO_NAMES = 'none';

/** The options of a scope (specs: cli, "Scope"). Transforms are applied in the order in which they are given. */
export const SCOPE_OPTIONS = {
  from: moment(
    'only samples from then on: 12.5, 90s, 5m, 1h since the earliest sample, an ISO time with its zone, or ns since 1970 as 1795174022011079152ns',
  ),
  to: moment('only samples before then'),
  thread: texts(
    'NAME',
    'only samples of these threads; a pool as http-worker-*, or /…/, a regular expression',
  ),
  keep: texts('KEY', 'only samples with KEY on their stack'),
  drop: texts('KEY', 'only samples without KEY on their stack'),
  focus: texts('KEY', 'only samples with KEY, and their stacks begin at its outermost frame'),
  merge: texts('KEY', 'leave out the frames of KEY; what they called is called by their callers'),
  only: texts('PREFIX', 'leave out the frames whose keys begin with none of these'),
  collapse: texts('PREFIX', 'adjacent frames whose keys begin with PREFIX are one frame, PREFIX*'),
  'collapse-class': texts(
    'CLASS',
    'adjacent frames of CLASS and of classes nested in it are one frame, CLASS.*',
  ),
  'collapse-recursion': {
    ...oneOf(
      RECURSIONS,
      'direct: of adjacent equal frames the innermost stays; all: a frame that occurs again deeper jumps to its last occurrence',
    ),
    isRepeatable: true,
  },
  fold: texts(
    `all|none|${MACHINE_NAMES.join(',')}`,
    'replace machine-made names by stable ones: Shop$$Lambda/0x7f12 by Shop$$Lambda (default none; compare: all)',
  ),
};

/**
 * All that narrows or changes what is looked at, but for the time range. `given`: the options of a command line. Throws
 * UsageError.
 */
export function scopeOf(given: readonly GivenOption[]): Scope {
  const valuesOf = (name: string): readonly string[] =>
    given.filter(({ option }) => option === name).map(({ value }) => value);
  const prefixes = valuesOf('only');
  // The prefixes of all --only are one transform, at the place of the first: a frame stays if it begins with any of them.
  const firstOnly = given.findIndex(({ option }) => option === 'only');
  const transforms = given
    .filter(({ option }, at) => option !== 'only' || at === firstOnly)
    .map((each) => transformOf(each, prefixes))
    .filter((transform) => transform !== undefined);
  return { threads: threadsOf(valuesOf('thread'), '--thread'), transforms };
}

/**
 * The scope of profiles of two runs: without --fold, machine-made names are folded before all else, because they contain
 * addresses and numbers of one run. Throws UsageError.
 */
export function scopeOfRuns(given: readonly GivenOption[]): Scope {
  const scope = scopeOf(given);
  if (given.some(({ option }) => option === 'fold')) return scope;
  return { ...scope, transforms: [{ kind: 'fold', names: MACHINE_NAMES }, ...scope.transforms] };
}

/** `Scope.threads` of the values of an option; empty without it. Throws UsageError. */
export function threadsOf(given: readonly string[], option: string): readonly string[] {
  const threads = typedThreads(given);
  try {
    threadTest(threads);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option} is no regular expression: ${reason}`);
  }
  return threads;
}

/** undefined: another option. `prefixes`: those of all --only. */
function transformOf({ option, value }: GivenOption, prefixes: readonly string[]): Transform | undefined {
  switch (option) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return { kind: option, key: value };
    case 'only':
      return { kind: 'only', prefixes };
    case 'collapse':
      return { kind: 'collapse', prefix: value };
    case 'collapse-class':
      return { kind: 'collapse-class', className: value };
    case 'collapse-recursion':
      return { kind: 'collapse-recursion', of: value === 'all' ? 'all' : 'direct' };
    case 'fold':
      if (value === NO_NAMES) return undefined;
      return { kind: 'fold', names: value === ALL_NAMES ? MACHINE_NAMES : value.split(',').map(machineName) };
    default:
      return undefined;
  }
}

function machineName(text: string): MachineName {
  const name = MACHINE_NAMES.find((each) => each === text);
  if (name !== undefined) return name;
  const known = `${ALL_NAMES}, ${NO_NAMES}, or some of ${MACHINE_NAMES.join(',')}`;
  throw wrongValue('--fold', text, known + didYouMean(text, MACHINE_NAMES));
}
