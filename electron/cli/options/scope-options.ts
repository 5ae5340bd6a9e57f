import { contextProblem } from '../../../shared/scope/context-condition.ts';
import { type ContextScope, MACHINE_NAMES, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import { threadProblem, typedThreads } from '../../../shared/scope/thread-pattern.ts';
import { TRANSFORMS, type TransformKind } from '../../../shared/scope/transform-list.ts';
import { kindOf, readTransform } from '../../../shared/scope/transforms.ts';
import { didYouMean, UsageError } from './usage-error.ts';
import {
  type GivenOption,
  moment,
  oneOf,
  type Option,
  percent,
  readPercent,
  texts,
  wrongValue,
} from './options.ts';

/** Values that stand for all choices of an option, and for none. */
const ALL_CHOICES = 'all';
const NO_CHOICES = 'none';

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
  context: texts(
    'KEY=VALUE',
    'only samples of requests, operations or spans with this attribute: operation=checkout, trace=4f2a, or a regular expression, customer=/gold|silver/; leanscope operations lists them',
  ),
  slower: percent('only samples of the slowest of each operation: with 99%, one in a hundred'),
  ...(Object.fromEntries(TRANSFORMS.map(({ kind, option }) => [kind, transformOption(option)])) as Readonly<
    Record<Transform['kind'], Option>
  >),
};

/** The scope of a command line without its time range. `given`: all its options. Throws UsageError. */
export function scopeOf(given: readonly GivenOption[]): Scope {
  const valuesOf = (name: string): readonly string[] =>
    given.filter(({ option }) => option === name).map(({ value }) => value);
  const transforms: Transform[] = [];
  for (const { option, value } of given) {
    const transform = transformOf(option, value);
    if (transform === undefined) continue;
    // The values of all its options are one transform, at the place of the first: with --only, for all prefixes.
    const { more } = kindOf(transform);
    const at = more === undefined ? -1 : transforms.findIndex(({ kind }) => kind === option);
    if (more === undefined || at < 0) transforms.push(transform);
    else transforms[at] = more.add(transforms[at], value);
  }
  const contexts = contextsOf(valuesOf('context'), valuesOf('slower').at(-1));
  return { threads: threadsOf(valuesOf('thread'), '--thread'), ...(contexts && { contexts }), transforms };
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

/** `Scope.contexts` of some texts; undefined without them. `names`: of the options. Throws UsageError. */
export function contextsOf(
  where: readonly string[],
  slower: string | undefined,
  names = { where: '--context', slower: '--slower' },
): ContextScope | undefined {
  const problem = where.map(contextProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new UsageError(`${names.where}: ${problem}`);
  if (where.length === 0 && slower === undefined) return undefined;
  return { where, ...(slower === undefined ? {} : { slower: readPercent(slower, names.slower) }) };
}

/** `Scope.threads` of the values of an option; empty without it. Throws UsageError. */
export function threadsOf(given: readonly string[], option: string): readonly string[] {
  const threads = typedThreads(given);
  const problem = threads.map(threadProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new UsageError(`${option}: ${problem}`);
  return threads;
}

function transformOption({ value, help, choices }: TransformKind['option']): Option {
  if (value === undefined) return { ...oneOf(choices ?? [], help), isRepeatable: true };
  return texts(value, help);
}

/** The transform of an option; undefined: the option is another one, or chooses none. */
function transformOf(name: string, value: string): Transform | undefined {
  const option = TRANSFORMS.find(({ kind }) => kind === name)?.option;
  if (option?.value === undefined || option.choices === undefined) return readTransform(name, value);
  const { choices } = option;
  if (value === NO_CHOICES) return undefined;
  if (value === ALL_CHOICES) return readTransform(name, choices.join(','));
  const wrong = value.split(',').find((each) => !choices.includes(each));
  if (wrong === undefined) return readTransform(name, value);
  const known = `${ALL_CHOICES}, ${NO_CHOICES}, or some of ${choices.join(',')}`;
  throw wrongValue(`--${name}`, wrong, known + didYouMean(wrong, choices));
}
