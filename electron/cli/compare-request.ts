/** The command line of `compare`. */
import { attributeOf } from '../../shared/engine/trees/grouping.ts';
import { CHANGES, NO_CONDITIONS } from '../../shared/engine/views/row-conditions.ts';
import { basename, resolve } from 'node:path';
import { inputName } from './io/command-io.ts';
import { UsageError } from './options/usage-error.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { COMPARE_OPTIONS, compareFormat, compareFormatsWith } from '../../shared/export/compare-list.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { type SaidScope, SCOPE_FIELDS } from '../../shared/scope/scope-fields.ts';
import { printable } from '../../shared/text/printable.ts';
import type { CompareBy } from '../../shared/engine/values/row-change.ts';
import { askedScope, isReference, leavesErrorsOut, type Question } from './ask-profile.ts';
import { pageFormOf } from './page-form.ts';
import type { COMMANDS } from './options/commands.ts';
import type { Arguments, ValuesOf } from './options/options.ts';
import { scopeOf, scopeOfRuns } from './options/scope-options.ts';

type CompareArguments = Arguments<ValuesOf<typeof COMMANDS.compare.options>>;

/** One of the two profiles that are compared. */
interface ComparedFile {
  readonly question: Question;
  /** The name in titles: of the file, and of what was chosen for this side alone. */
  readonly name: string;
}

export type CompareRequest = ReturnType<typeof compareRequest>;

/** Checks the command line of `compare`, before anything is read. Throws UsageError. */
export function compareRequest(args: CompareArguments) {
  const { files, values } = args;
  const { format, frames, metric } = values;
  if (files.length !== 2) {
    const found = files.length === 0 ? '' : `, not ${files.length}: ${files.join(' ')}`;
    throw new UsageError(`compare needs two files, BASE and NEW${found}`);
  }
  const [base, next] = files;
  if (base === '-' && next === '-') throw new UsageError('only one of BASE and NEW can be standard input');
  for (const option of COMPARE_OPTIONS) {
    const formats = compareFormatsWith(option);
    if (args.has(option) && !formats.includes(format))
      throw new UsageError(`--${option} is for --format ${formats.join('|')}`);
  }
  if (values.json && args.has('format')) throw new UsageError('--json and --format exclude each other');
  if (values['fail-above'] === undefined && values.key !== undefined)
    throw new UsageError('--key is for --fail-above');
  const filter = { hideErrors: values['hide-errors'], contains: values.filter };
  const hidesErrors = leavesErrorsOut(filter, format);
  const where = values.rows === undefined ? NO_CONDITIONS : CHANGES[values.rows];
  const attribute = attributeOf(values.threads);
  const query = { ...INITIAL_QUERY, frames, keys: frames, metric, hidesErrors, where, attribute };
  const names = namesOf(base, next);
  const scope = scopeOfRuns(args.inOrder);
  const ownScope = scopeOf(args.inOrder, '-base');
  const isOneType = isSame(values['choose-base'], values['choose-new']);
  const normalize = values.normalize ?? (format === 'svg' || format === 'report-html' ? 'share' : 'none');
  const by: CompareBy = normalize === 'share' ? 'share' : 'amount';
  return {
    ...values,
    base: comparedFile(args, query, {
      path: base,
      name: names.base,
      isBase: true,
      scope: { ...scope, ...ownScope },
    }),
    next: comparedFile(args, query, { path: next, name: names.next, isBase: false, scope }),
    /** Both sides are of one profile, which is read once: they have no samples in common. */
    isOneProfile: resolve(base) === resolve(next) && isOneType && values['where-base'] === undefined,
    /** The parts of the scope that BASE has of its own. */
    ownParts: Object.keys(ownScope) as readonly (keyof SaidScope)[],
    by,
    failAbove:
      values['fail-above'] === undefined
        ? undefined
        : { points: values['fail-above'], prefix: values.key ?? '' },
    threads: values.threads ?? (format === 'tree' ? 'name' : 'all'),
    filter,
    orientation: values.icicle ? ('icicle' as const) : ('flame' as const),
    title: values.title ?? 'Profile comparison',
    page: pageFormOf({
      values: { ...values, include: 'scope', embed: undefined },
      carries: compareFormat(format).carries,
      hasScope: false,
      settings: { frames, metric },
    }),
  };
}

interface ComparedSide {
  readonly path: string;
  readonly name: string;
  readonly isBase: boolean;
  readonly scope: SaidScope;
}

/** One side: its question, and its name with what was chosen for it alone. */
function comparedFile(
  args: CompareArguments,
  query: ProfileQuery,
  { path, name, isBase, scope }: ComparedSide,
): ComparedFile {
  const { values } = args;
  const chosen: Chosen = isBase ? values['choose-base'] : values['choose-new'];
  const whereBase = values['where-base'];
  const where = (isBase ? whereBase : undefined) ?? values.where;
  const details = [
    ...Object.values(chosen),
    ...(whereBase === undefined || where === undefined ? [] : [where]),
    ...ownDetails(args, isBase),
  ].filter((text) => text !== '');
  return {
    question: {
      input: {
        paths: [path],
        chosen: { ...values.choose, ...chosen },
        fleet: { ...values, where },
      },
      ...askedScope(query, scope),
      isFirstView: !values['count-all'] && !isReference(values.format),
      wantsTimes: compareFormat(values.format).carries !== undefined,
    },
    name: details.length === 0 ? name : `${name} (${printable(details.join(', '))})`,
  };
}

/** The options that say on one side what BASE has otherwise: `from 60s`, `thread main`. */
function ownDetails({ inOrder }: CompareArguments, isBase: boolean): readonly string[] {
  const parts = Object.keys(scopeOf(inOrder, '-base'));
  return SCOPE_FIELDS.filter(({ part }) => parts.includes(part)).flatMap(({ name }) => {
    const option = isBase ? `${name}-base` : name;
    return inOrder.filter((given) => given.option === option).map(({ value }) => `${name} ${value}`);
  });
}

/** The names of the files, with their folders where the names are equal. */
function namesOf(base: string, next: string): { readonly base: string; readonly next: string } {
  const short = (path: string): string => printable(path === '-' ? inputName(path) : basename(path));
  return short(base) === short(next)
    ? { base: printable(inputName(base)), next: printable(inputName(next)) }
    : { base: short(base), next: short(next) };
}

/** Whether two values are equal as JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
