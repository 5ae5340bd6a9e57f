import { type SaidScope, SCOPE_FIELDS } from '../../../shared/scope/scope-fields.ts';
import { type GivenOption, type Option, texts } from './options.ts';
import { didYouMean, UsageError } from './usage-error.ts';

/** The options of a scope (specs: cli, "Scope"). Transforms are applied in the order in which they are given. */
export const SCOPE_OPTIONS = tableOf<'thread'>('');
/** The options of what BASE has instead of parts of the scope. */
export const BASE_OPTIONS = tableOf<never>('-base');

/** `Alone`: the options that are read also without `scopeOf`. A JVM is sampled by its threads, too. */
function tableOf<Alone extends 'thread'>(suffix: '' | '-base') {
  const options = SCOPE_FIELDS.flatMap(({ name, value, help, helpOfBase, isRepeatable = false }) => {
    const shown = suffix === '' ? help : helpOfBase;
    return shown === undefined ? [] : [[name + suffix, { ...texts(value, shown), isRepeatable }]];
  });
  return Object.fromEntries(options) as Readonly<Record<Alone, Option<readonly string[]>>>;
}

/**
 * The scope that options say. `given`: all options; those of no scope are left out. `suffix`: `-base` for what BASE has
 * instead. `sign`: how an error begins. Throws UsageError.
 */
export function scopeOf(given: readonly GivenOption[], suffix: '' | '-base' = '', sign = '--'): SaidScope {
  let said: SaidScope = {};
  for (const { option, value } of given) {
    const field = SCOPE_FIELDS.find(({ name }) => name + suffix === option);
    const read = field?.read(said, value) ?? said;
    if (typeof read === 'string')
      throw new UsageError(
        `${sign}${option} cannot be '${value}': ${read}${didYouMean(value, field?.choices ?? [])}`,
      );
    said = read;
  }
  return said;
}

/**
 * The scope of profiles of two runs: without --fold, machine-made names are folded before all else, because they contain
 * addresses and numbers of one run. Throws UsageError.
 */
export function scopeOfRuns(given: readonly GivenOption[]): SaidScope {
  const isFolded = given.some(({ option }) => option === 'fold');
  return scopeOf(isFolded ? given : [{ option: 'fold', value: 'all' }, ...given]);
}
