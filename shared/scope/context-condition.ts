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

/** The contexts whatever value an attribute has, and however long they take; undefined: all. */
export function withoutKey({ where }: ContextScope, key: string): ContextScope | undefined {
  const others = where.filter((text) => parseCondition(text)?.key !== key);
  return others.length === 0 ? undefined : { where: others };
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

/** `operation=checkout, slowest 1 %`. */
export function contextsText({ where, slower }: ContextScope): string {
  const slowest = slower === undefined ? [] : [`slowest ${Number((100 - slower).toPrecision(6))} %`];
  return [...where, ...slowest].join(', ');
}
