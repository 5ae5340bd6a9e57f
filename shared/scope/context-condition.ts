import { parseExpression } from '../text/expression.ts';
import { isExpression } from './filters.ts';
import type { ContextScope, NsSpan } from './scope.ts';
import { formatSpan } from '../text/format-value.ts';
import { clockText, endsText, parseTime } from './time-range.ts';

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

/** An expression that `conditionOf` makes: of one value. */
const ONE_VALUE = /^\/\^(?:\\[.*+?^${}()|[\]\\/]|[^.*+?^${}()|[\]\\/])*\$\/$/;

/** Whether a condition has an expression that somebody has typed. */
export function isTypedCondition(text: string): boolean {
  const value = parseCondition(text)?.value ?? '';
  return isExpression(value) && value !== ANY && !ONE_VALUE.test(value);
}

/** Whether contexts with these conditions meet another one, too. */
export function impliesCondition(where: readonly string[], text: string): boolean {
  const asked = parseCondition(text);
  return (
    where.includes(text) ||
    (asked?.value === ANY && where.some((each) => parseCondition(each)?.key === asked.key))
  );
}

/** The contexts in which an attribute has this value, whatever it was before, also those that are not the slowest. */
export function withKey(contexts: ContextScope | undefined, key: string, value: string): ContextScope {
  return withCondition(contexts, key, conditionOf(key, value));
}

/** The contexts that have the attribute, with whatever value. */
export function withAnyKey(contexts: ContextScope | undefined, key: string): ContextScope {
  return withCondition(contexts, key, `${key}=${ANY}`);
}

function withCondition(contexts: ContextScope | undefined, key: string, text: string): ContextScope {
  const others = withoutKey(contexts, key);
  return { ...others, where: [...(others?.where ?? []), text] };
}

/** The contexts whatever value an attribute has, also those that are not the slowest; undefined: all. */
export function withoutKey(contexts: ContextScope | undefined, key: string): ContextScope | undefined {
  const { slower: _, where, ...spans } = contexts ?? { where: [] };
  const others = where.filter((text) => parseCondition(text)?.key !== key);
  const isAny = others.length === 0 && spans.took === undefined && spans.began === undefined;
  return isAny ? undefined : { ...spans, where: others };
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

/** `operation=checkout, any customer, 1 s or longer, began 0:05 to 0:06, slowest 1 %`. */
export function contextsText({ where, took, began, slower }: ContextScope): string {
  const ends = { from: began?.from, to: began?.to };
  const parts = [
    ...where.map((text) => {
      const condition = parseCondition(text);
      return condition?.value === ANY ? `any ${condition.key}` : text;
    }),
    ...(took === undefined || isAnySpan(took) ? [] : [tookText(took)]),
    ...(began === undefined || isAnySpan(began)
      ? []
      : [`began ${endsText(ends, (ns) => clockText(BigInt(ns), 3))}`]),
    ...(slower === undefined ? [] : [`slowest ${Number((100 - slower).toPrecision(6))} %`]),
  ];
  return parts.length === 0 ? 'all requests' : parts.join(', ');
}

function isAnySpan({ from, to }: NsSpan): boolean {
  return from === undefined && to === undefined;
}

/** `100 ms to 2 s`, `1 s or longer`, `shorter than 2 s`. */
function tookText({ from, to }: NsSpan): string {
  if (from === undefined) return `shorter than ${durationText(to ?? 0)}`;
  return to === undefined
    ? `${durationText(from)} or longer`
    : `${durationText(from)} to ${durationText(to)}`;
}

const UNITS: readonly (readonly [ns: number, name: string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

/** A duration with four digits at most and none that says nothing: `1.25 ms`, `100 ms`, `1 m 40 s`. */
export function durationText(ns: number): string {
  if (ns >= 60e9) return formatSpan(ns);
  const [unit, name] = UNITS.find(([each]) => ns >= each) ?? [1, 'ns'];
  return `${Number((ns / unit).toPrecision(4))} ${name}`;
}

/**
 * Reads a span of durations, or of times since the earliest sample; undefined for anything else, and for one that has
 * nothing in it.
 *
 *   100ms..2s   1s..   ..250us   5:00..6:00   ..
 */
export function parseSpan(text: string): NsSpan | undefined {
  const ends = text.split('..');
  if (ends.length !== 2) return undefined;
  const [from, to] = ends.map((end) => (end === '' ? undefined : nsOf(end)));
  const isWrong = [from, to].some((ns) => ns !== undefined && !Number.isSafeInteger(ns));
  return isWrong || (from ?? -1) >= (to ?? Infinity) ? undefined : { from, to };
}

/** NaN for a text that is neither a duration nor a time since the earliest sample. */
function nsOf(text: string): number {
  const found = /^(\d{1,15})(ns|us)$/.exec(text);
  if (found !== null) return Number(found[1]) * (found[2] === 'us' ? 1_000 : 1);
  const time = parseTime(text);
  return time?.since === 'first' ? Number(time.ns) : NaN;
}

/** A span as `parseSpan` reads it, exact. */
export function spanText({ from, to }: NsSpan): string {
  const textOf = (ns: number | undefined): string => {
    if (ns === undefined) return '';
    const [unit, name] = UNITS.find(([each]) => ns % each === 0) ?? [1, 'ns'];
    return `${ns / unit}${name.replace('µ', 'u')}`;
  };
  return `${textOf(from)}..${textOf(to)}`;
}
