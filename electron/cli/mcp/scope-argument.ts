import { z } from 'zod';
import { typedThreads, threadProblem } from '../../../shared/scope/thread-pattern.ts';
import { parseTime } from '../../../shared/scope/time-range.ts';
import { TRANSFORMS } from '../../../shared/scope/transform-list.ts';
import { readTransform } from '../../../shared/scope/transforms.ts';
import type { Scope, Transform } from '../../../shared/scope/scope.ts';
import { didYouMean, UsageError } from '../command-io.ts';
import type { GivenRange } from '../ask-profile.ts';
import { contextsOf } from '../scope-options.ts';

const MOST_PARTS = 100;
/** In front of the percentage of the slowest. */
const SLOWER = 'slower=';
const KINDS = TRANSFORMS.map(({ kind }) => kind);

/** The scope of a question, as the engine has it, with times as people write them. */
export const SCOPE_ARGUMENT = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    threads: z.array(z.string()),
    // A schema would be repeated in each tool.
    contexts: z.unknown(),
    transforms: z.array(z.looseObject({})),
  })
  .partial();

export type ScopeArgument = z.infer<typeof SCOPE_ARGUMENT>;

/** How its parts are written, for the texts of tools. */
export const SCOPE_HELP =
  'scope {from, to: "12.5s" after the first sample or ISO time; threads: names, "pool-*" or "/regex/"; contexts: ["operation=checkout", "slower=99%"]; transforms, applied in order: {kind: keep|drop|focus|merge, key: "pkg.Class.method"}, {kind: collapse, prefix}, {kind: collapse-class, className}, {kind: only, prefixes: []}, {kind: collapse-recursion, of: direct|all}, {kind: fold, names: [lambda|proxy|reflection|generated]}}';

/** The scope and its range, which is resolved when the file is known. Throws UsageError. */
export function scopeOfArgument(given: ScopeArgument = {}): { scope: Scope; range: GivenRange | undefined } {
  const time = (name: 'from' | 'to') => {
    const text = given[name];
    if (text === undefined) return undefined;
    const parsed = parseTime(text);
    if (parsed === undefined)
      throw new UsageError(
        `scope.${name} cannot be '${text}': it is a time as 12.5s, 5m or 2026-11-20T14:27:02Z`,
      );
    return parsed;
  };
  const asked = textsOf(given.contexts);
  const parts = [...(given.threads ?? []), ...asked, ...(given.transforms ?? [])];
  if (parts.length > MOST_PARTS)
    throw new UsageError(`scope has more than ${MOST_PARTS} threads, contexts and transforms`);
  const [from, to] = [time('from'), time('to')];
  const threads = typedThreads(given.threads ?? []);
  const problem = threads.map(threadProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new UsageError(`scope.threads: ${problem}`);
  const transforms = (given.transforms ?? []).map(transformOf);
  const slower = asked.find((text) => text.startsWith(SLOWER))?.slice(SLOWER.length);
  const where = asked.filter((text) => !text.startsWith(SLOWER));
  const contexts = contextsOf(where, slower, { where: 'scope.contexts', slower: 'slower of scope.contexts' });
  return {
    scope: { threads, contexts, transforms },
    range: from === undefined && to === undefined ? undefined : { from, to },
  };
}

/** Throws UsageError for what is no list of texts. */
function textsOf(contexts: unknown): readonly string[] {
  if (contexts === undefined) return [];
  if (Array.isArray(contexts) && contexts.every((text) => typeof text === 'string')) return contexts;
  throw new UsageError('scope.contexts is a list of texts as ["operation=checkout", "slower=99%"]');
}

function transformOf({ kind: given, ...fields }: Readonly<Record<string, unknown>>, at: number): Transform {
  const kind = KINDS.find((each) => each === given);
  if (kind === undefined)
    throw new UsageError(
      `scope.transforms[${at}].kind cannot be '${String(given)}': it is one of ${KINDS.join(', ')}${didYouMean(String(given), KINDS)}`,
    );
  const values = Object.values(fields).flat();
  const texts = values.filter((value) => typeof value === 'string');
  const read = readTransform(kind, kind === 'only' ? (texts.at(0) ?? '') : texts.join(','));
  const made = read?.kind === 'only' ? { ...read, prefixes: texts } : read;
  const names = made === undefined ? [] : Object.keys(made).filter((name) => name !== 'kind');
  const isMade =
    texts.length > 0 && texts.length === values.length && names.join() === Object.keys(fields).join();
  if (made !== undefined && isMade) return made;
  const wrong = Object.keys(fields).find((name) => !names.includes(name));
  throw new UsageError(
    `scope.transforms[${at}]: {kind: ${kind}} takes ${names.length === 0 ? 'another value' : `{${names.join()}: …}`}${wrong === undefined ? '' : didYouMean(wrong, names)}`,
  );
}
