import type { FlameZoom, ZoomedRow } from '../../../shared/engine/query.ts';
import {
  type Condition,
  conditionProblem,
  KEY_COMPARISONS,
  NUMBER_COMPARISONS,
  QUANTITIES,
} from '../../../shared/engine/views/row-conditions.ts';
import { parseSearch } from '../../../shared/engine/views/search.ts';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { MERGED_THREADS, type MergedThreads } from '../../../shared/facts/choice.ts';
import type { ScopeStep } from '../state/window-state.ts';

export interface LinkedMerge {
  readonly threads: MergedThreads;
  /** At least two. */
  readonly parts: readonly string[];
}

/** The scope of one log in an address. */
export interface LinkedScope extends ScopeStep {
  /** Name of the log; see `linkName`. */
  readonly name: string;
  /** The logs that it merges, by names that may begin with folders; undefined: it is a single one. */
  readonly merge?: LinkedMerge | undefined;
  /** Name of the other log that is compared with; undefined: another part of this one, or nothing. */
  readonly base?: string | undefined;
  /** Threads of the chart, none for all; undefined: none were chosen. */
  readonly chartThreads?: readonly string[] | undefined;
  /** The text that the find field looks for; undefined: none. */
  readonly search?: string | undefined;
  /** The part of the time that timeline, tracks and chart show, ns after the earliest sample; undefined: all. */
  readonly timeZoom?: Interval | undefined;
}

/** A field of an address. */
export type Field = readonly [name: string, value: string];

/**
 * The fields of an address for one part of a log, and the way back. It is a pair of functions and no schema, because
 * fields depend on those before them: `and` adds to the last `rows`, and a wrong one is left out alone. Fields of the
 * scope are those of `SCOPE_FIELDS`.
 */
interface LinkPart {
  /** All names of its fields, also those that only older links have. */
  readonly names: readonly string[];
  print(log: LinkedScope): readonly Field[];
  /** The change that a further field makes; none where its value is invalid. */
  read(log: LinkedScope, value: string, name: string): Partial<LinkedScope>;
}

/** A part that is one field. */
function single(
  name: string,
  print: (log: LinkedScope) => string | undefined,
  read: (value: string) => Partial<LinkedScope>,
): LinkPart {
  return {
    names: [name],
    print: (log) => {
      const value = print(log);
      return value === undefined ? [] : [[name, value]];
    },
    read: (_, value) => read(value),
  };
}

/** The parts of a link besides the scope, in the order in which they stand before and after it. */
export const BEFORE_SCOPE: readonly LinkPart[] = [
  {
    names: ['merged', 'part'],
    print: ({ merge }) =>
      merge === undefined
        ? []
        : [['merged', merge.threads], ...merge.parts.map((part): Field => ['part', part])],
    read: ({ merge }, value, name) => {
      if (name === 'part')
        return merge === undefined ? {} : { merge: { ...merge, parts: [...merge.parts, value] } };
      const threads = MERGED_THREADS.find((each) => each === value);
      return threads === undefined ? {} : { merge: { threads, parts: [] } };
    },
  },
  single(
    'base',
    ({ base }) => base,
    (base) => ({ base }),
  ),
];

export const AFTER_SCOPE: readonly LinkPart[] = [
  {
    names: ['lines', 'bcis'],
    print: ({ split }) => split.map(({ key, by }) => [by === 'line' ? 'lines' : 'bcis', key]),
    read: ({ split }, key, name) =>
      split.some((each) => each.key === key)
        ? {}
        : { split: [...split, { key, by: name === 'lines' ? 'line' : 'bci' }] },
  },
  {
    names: ['rows', 'and'],
    print: ({ where }) =>
      where.flatMap((group) =>
        group.map((condition, at): Field => [at === 0 ? 'rows' : 'and', conditionText(condition)]),
      ),
    read: ({ where }, value, name) => {
      const condition = conditionFrom(value);
      if (typeof condition === 'string') return {};
      const group = name === 'and' ? where.at(-1) : undefined;
      return {
        where: group === undefined ? [...where, [condition]] : [...where.slice(0, -1), [...group, condition]],
      };
    },
  },
  single(
    'hide-errors',
    ({ hidesErrors }) => (hidesErrors === false ? 'no' : undefined),
    (value) => (value === 'no' ? { hidesErrors: false } : {}),
  ),
  single(
    'keep-zoom',
    ({ zoom, keepsZoom }) => (zoom !== undefined && keepsZoom === true ? 'yes' : undefined),
    (value) => (value === 'yes' ? { keepsZoom: true } : {}),
  ),
  single(
    'zoom',
    ({ zoom }) => zoom && zoomText(zoom),
    (value) => {
      const zoom = zoomFrom(value);
      return zoom === undefined ? {} : { zoom };
    },
  ),
  {
    names: ['chart-threads', 'chart-thread'],
    print: ({ chartThreads: only }) =>
      only?.length === 0
        ? [['chart-threads', 'all']]
        : (only ?? []).map((thread): Field => ['chart-thread', thread]),
    read: ({ chartThreads: only = [] }, value, name) => {
      if (name === 'chart-threads') return value === 'all' ? { chartThreads: [] } : {};
      return parseSearch(value).problem === undefined ? { chartThreads: [...only, value] } : {};
    },
  },
  single(
    'search',
    ({ search }) => search,
    (search) => (parseSearch(search).problem === undefined ? { search } : {}),
  ),
  single(
    'time-zoom',
    ({ timeZoom }) => timeZoom && `${timeZoom.from},${timeZoom.to}`,
    (value) => {
      const timeZoom = intervalFrom(value);
      return timeZoom === undefined ? {} : { timeZoom };
    },
  ),
];

function intervalFrom(text: string): Interval | undefined {
  if (!/^\d{1,15},\d{1,15}$/.test(text)) return undefined;
  const [from, to] = text.split(',').map(Number);
  return from < to ? { from, to } : undefined;
}

/** `selfCount >= 5`, `key contains Shop`: as in a link, and in the dialog that shows only some rows. */
export function conditionText(condition: Condition): string {
  const { of, comparison } = condition;
  return `${of} ${comparison} ${condition.of === 'key' ? condition.text : String(condition.value)}`;
}

/** The condition of such a text, or a sentence that says why it is none. */
export function conditionFrom(text: string): Condition | string {
  const parts = /^(\S+) (\S+) (.+)$/s.exec(text);
  if (parts === null) return `“${text}” is not of the form: selfCount >= 20.`;
  const [, name, sign, rest] = parts;
  const of = name === 'key' ? name : QUANTITIES.find((each) => each === name);
  if (of === undefined) return `Rows have no number that is called ${name}.`;
  const known = of === 'key' ? KEY_COMPARISONS : NUMBER_COMPARISONS;
  if (!known.some((each) => each === sign))
    return `${name} is compared by ${known.join(', ')}, not by ${sign}.`;
  const condition = (
    of === 'key'
      ? { of, comparison: sign, text: rest }
      : { of, comparison: sign, value: Number(rest.trim() || NaN) }
  ) as Condition;
  const problem = conditionProblem(condition);
  return problem === undefined ? condition : `${text}: ${problem}.`;
}

/** `17`, or `17,20,31` for a block of narrow frames below 17. Bottom-up: `90:17`, or `90:17,91:20,95:31`. */
function zoomText({ row, run }: FlameZoom): string {
  return (run === undefined ? [row] : [row, run.first, run.last]).map(rowText).join(',');
}

function rowText(row: ZoomedRow): string {
  return typeof row === 'number' ? String(row) : `${row.end}:${row.caller}`;
}

function zoomFrom(text: string): FlameZoom | undefined {
  const isKnown =
    /^(?:-1|\d{1,10})(?:,\d{1,10},\d{1,10})?$/.test(text) ||
    /^(?:-1(?=,)|\d{1,10}:\d{1,10})(?:,\d{1,10}:\d{1,10},\d{1,10}:\d{1,10})?$/.test(text);
  if (!isKnown) return undefined;
  const [row, first, last] = text.split(',').map(rowFrom);
  return { row, run: text.includes(',') ? { first, last } : undefined };
}

function rowFrom(text: string): ZoomedRow {
  const [end, caller] = text.split(':').map(Number);
  return text.includes(':') ? { end, caller } : end;
}
