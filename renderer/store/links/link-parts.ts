import { readZoom, zoomText } from '../../../shared/engine/query.ts';
import { conditionField, readCondition } from '../../../shared/engine/views/row-conditions.ts';
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
  /** The change that a further field makes; undefined where its value is invalid. */
  read(log: LinkedScope, value: string, name: string): Partial<LinkedScope> | undefined;
}

/** A part that is one field: how its value is printed and read; undefined: there is none, or it is invalid. */
function single<Key extends keyof LinkedScope>(
  key: Key,
  name: string,
  print: (value: NonNullable<LinkedScope[Key]>) => string | undefined,
  read: (text: string) => LinkedScope[Key],
): LinkPart {
  return {
    names: [name],
    print({ [key]: value }) {
      const text = value === undefined ? undefined : print(value);
      return text === undefined ? [] : [[name, text]];
    },
    read(_, text) {
      const value = read(text);
      return value === undefined ? {} : { [key]: value };
    },
  };
}

const asText = (text: string): string => text;
const yesIf = (is: boolean): 'yes' | undefined => (is ? 'yes' : undefined);
const isYes = (text: string): true | undefined => (text === 'yes' ? true : undefined);
const ifSearched = (text: string): string | undefined =>
  parseSearch(text).problem === undefined ? text : undefined;

/** The parts of a link besides the scope, in the order in which they stand before and after it. */
export const BEFORE_SCOPE: readonly LinkPart[] = [
  {
    names: ['merged', 'part'],
    print: ({ merge }) =>
      merge === undefined
        ? []
        : [['merged', merge.threads], ...merge.parts.map((part): Field => ['part', part])],
    read({ merge }, value, name) {
      if (name === 'part') return merge && { merge: { ...merge, parts: [...merge.parts, value] } };
      const threads = MERGED_THREADS.find((each) => each === value);
      return threads && { merge: { threads, parts: [] } };
    },
  },
  single('base', 'base', asText, asText),
];

export const AFTER_SCOPE: readonly LinkPart[] = [
  {
    names: ['lines', 'bcis'],
    print: ({ split }) => split.map(({ key, by }) => [by === 'line' ? 'lines' : 'bcis', key]),
    read({ split }, key, name) {
      if (split.some((each) => each.key === key)) return undefined;
      return { split: [...split, { key, by: name === 'lines' ? 'line' : 'bci' }] };
    },
  },
  {
    names: ['rows', 'and'],
    print: ({ where }) =>
      where.flatMap((group) =>
        group.map((condition, at): Field => [at === 0 ? 'rows' : 'and', conditionField(condition)]),
      ),
    read({ where }, value, name) {
      const condition = readCondition(value);
      if (typeof condition === 'string') return undefined;
      const at = name === 'and' && where.length > 0 ? where.length - 1 : where.length;
      return { where: where.toSpliced(at, 1, [...(where[at] ?? []), condition]) };
    },
  },
  single('hidesErrors', 'hide-errors', yesIf, isYes),
  single('keepsZoom', 'keep-zoom', yesIf, isYes),
  single('zoom', 'zoom', zoomText, readZoom),
  {
    names: ['chart-threads', 'chart-thread'],
    print: ({ chartThreads: only }) =>
      only?.length === 0
        ? [['chart-threads', 'all']]
        : (only ?? []).map((thread): Field => ['chart-thread', thread]),
    read({ chartThreads: only = [] }, value, name) {
      if (name === 'chart-threads') return value === 'all' ? { chartThreads: [] } : undefined;
      return ifSearched(value) === undefined ? undefined : { chartThreads: [...only, value] };
    },
  },
  single('search', 'search', asText, ifSearched),
  single('timeZoom', 'time-zoom', ({ from, to }) => `${from},${to}`, readInterval),
];

function readInterval(text: string): Interval | undefined {
  if (!/^\d{1,15},\d{1,15}$/.test(text)) return undefined;
  const [from, to] = text.split(',').map(Number);
  return from < to ? { from, to } : undefined;
}
