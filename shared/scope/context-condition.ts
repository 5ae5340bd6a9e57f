import { parseExpression } from '../text/expression.ts';
import { isExpression } from './filters.ts';
import type { ContextScope } from './scope.ts';

/** The key of a context's name. */
export const OPERATION = 'operation';

/** A condition: a key, and a value or an expression `/…/` that values match. */
interface ContextCondition {
  readonly key: string;
  readonly value: string;
}

/** Reads `operation=checkout`; undefined for a text that is no condition. */
export function parseCondition(text: string): ContextCondition | undefined {
  const at = text.indexOf('=');
  return at < 1 || at === text.length - 1 ? undefined : { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** The condition that an attribute has this value. */
export function conditionOf(key: string, value: string): string {
  const isPlain = value !== '' && !isExpression(value);
  return `${key}=${isPlain ? value : `/^${value.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$/`}`;
}

/** An expression that every value matches. */
const ANY = '/.*/';

/** Whether contexts with these conditions meet another one, too. */
export function impliesCondition(where: readonly string[], text: string): boolean {
  const asked = parseCondition(text);
  return (
    where.includes(text) ||
    (asked?.value === ANY && where.some((each) => parseCondition(each)?.key === asked.key))
  );
}

/** The contexts in which an attribute has this value, whatever it was before, and however long they take. */
export function withKey(contexts: ContextScope | undefined, key: string, value: string): ContextScope {
  return { where: [...othersOf(contexts, key), conditionOf(key, value)] };
}

/** The contexts that have the attribute, with whatever value. */
export function withAnyKey(contexts: ContextScope | undefined, key: string): ContextScope {
  return { where: [...othersOf(contexts, key), `${key}=${ANY}`] };
}

/** The contexts whatever value an attribute has, and however long they take; undefined: all. */
export function withoutKey(contexts: ContextScope | undefined, key: string): ContextScope | undefined {
  const others = othersOf(contexts, key);
  return others.length === 0 ? undefined : { where: others };
}

/** Conditions on other attributes. */
function othersOf(contexts: ContextScope | undefined, key: string): readonly string[] {
  return contexts?.where.filter((text) => parseCondition(text)?.key !== key) ?? [];
}

/** Why a text cannot be a condition, as a clause; undefined if it is one. */
export function contextProblem(text: string): string | undefined {
  const condition = parseCondition(text);
  if (condition === undefined) return 'it is KEY=VALUE, as operation=checkout';
  return isExpression(condition.value)
    ? parseExpression(condition.value.slice(1, -1), 'u').problem
    : undefined;
}

/** The keys that a user means: those of this text, or else of one that differs in case, signs and `Id` only. */
export function keysMeant(keys: readonly string[], asked: string): readonly string[] {
  if (keys.includes(asked)) return [asked];
  return keys.filter((key) => essenceOf(key) === essenceOf(asked));
}

/** `Trace.id`, `traceId` and `trace_id` are `trace`. */
function essenceOf(key: string): string {
  const letters = key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return letters.replace(/(.)id$/u, '$1');
}

/** `operation=checkout, any customer, slowest 1 %`. */
export function contextsText({ where, slower }: ContextScope): string {
  const slowest = slower === undefined ? [] : [`slowest ${Number((100 - slower).toPrecision(6))} %`];
  const conditions = where.map((text) => {
    const condition = parseCondition(text);
    return condition?.value === ANY ? `any ${condition.key}` : text;
  });
  return [...conditions, ...slowest].join(', ');
}
