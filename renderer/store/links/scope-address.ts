import { readZoom, zoomText } from '../../../shared/engine/query.ts';
import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  attributeOf,
  parseThreadGrouping,
  type ThreadGrouping,
} from '../../../shared/engine/trees/grouping.ts';
import { conditionField, readCondition } from '../../../shared/engine/views/row-conditions.ts';
import { parseSearch } from '../../../shared/engine/views/search.ts';
import type { Interval } from '../../../shared/engine/views/timeline-columns.ts';
import { MERGED_THREADS } from '../../../shared/facts/choice.ts';
import { EMPTY_SCOPE, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import { type SaidScope, SCOPE_FIELDS, type ScopeField } from '../../../shared/scope/scope-fields.ts';
import { rangeMeant } from '../../../shared/scope/time-range.ts';
import { TRANSFORMS } from '../../../shared/scope/transform-list.ts';
import { isKeyed, kindOf, withKeys } from '../../../shared/scope/transforms.ts';
import type { LinkedScope } from '../state/window-state.ts';

/** A field of an address. */
type Field = readonly [name: string, value: string];

/** The scopes in an address. If several logs share a name, the first is used. */
export interface ScopeLink {
  /** Grouping of frames in rows, and in keys that do not name another one. */
  readonly frames: FrameGrouping;
  /** Grouping of threads: of a zoom, or by an attribute of contexts; undefined where it is neither. */
  readonly threads: ThreadGrouping | undefined;
  readonly logs: readonly LinkedScope[];
}

/** Limits for what an address may ask for: none comes near them by hand. */
const MOST_CHARACTERS = 60_000;
const MOST_FIELDS = 2_000;
/** Expressions of threads and of the filter of rows: one may take milliseconds to be parsed. Further ones are left out. */
const MOST_EXPRESSIONS = 50;
/** Each takes time for all call nodes, whenever a log grows. Further ones are left out. */
const MOST_TRANSFORMS = 100;
/** Each is a profile as large as its logs together. Further ones are left out. */
const MOST_MERGES = 8;
/** Most logs that are merged in one. */
const MOST_PARTS = 64;

/** A log as far as its fields are read. */
interface ReadLog extends LinkedScope {
  /** The scope without its transforms, and the baseline. */
  readonly said: SaidScope;
  readonly saidBase: SaidScope;
  readonly transforms: readonly Transform[];
  /** Grouping in the keys of further transforms; undefined: that of frames. */
  readonly keys?: FrameGrouping | undefined;
}

/**
 * The fields of an address for one part of a log, and the way back. It is a pair of functions and no schema, because
 * fields depend on those before them: `and` adds to the last `rows`, and a wrong one is left out alone.
 */
interface LinkPart {
  /** All names of its fields, also those that only older links have. */
  readonly names: readonly string[];
  print(log: LinkedScope, frames: FrameGrouping): readonly Field[];
  /** The change that a further field makes; undefined where its value is invalid. */
  read(log: ReadLog, value: string, name: string): Partial<ReadLog> | undefined;
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

/** A field of the scope or of what is compared with, named as on the command line; older links say `base-from`. */
function ofSide(side: 'said' | 'saidBase', { name, print, read }: ScopeField): LinkPart {
  const names = side === 'said' ? [name] : [`${name}-base`, `base-${name}`];
  return {
    names,
    print: ({ scope, baseline = {} }) =>
      (print?.(side === 'said' ? scope : baseline) ?? []).map((value) => [names[0], value]),
    read(log, value) {
      const said = read(log[side], value);
      return typeof said === 'string' ? undefined : { [side]: said };
    },
  };
}

const [ONE_EACH, OF_KINDS] = [false, true].map((isKind) =>
  SCOPE_FIELDS.filter(({ part }) => (part === 'transforms') === isKind),
);

/** The parts of a link, in the order in which they stand. What the command line has an option for has its name. */
const PARTS: readonly LinkPart[] = [
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
  ...ONE_EACH.map((field) => ofSide('said', field)),
  ...ONE_EACH.map((field) => ofSide('saidBase', field)),
  {
    names: [
      'keys',
      ...OF_KINDS.map(({ name }) => name),
      ...TRANSFORMS.flatMap(({ more }) => more?.field ?? []),
    ],
    print: ({ scope }, frames) => fieldsOfTransforms(scope.transforms, frames),
    read({ transforms, keys }, value, name) {
      if (name === 'keys') return { keys: FRAME_GROUPINGS.find((each) => each === value) ?? keys };
      const last = transforms.at(-1);
      const more = last && kindOf(last).more;
      if (last !== undefined && more?.field === name)
        return { transforms: transforms.with(-1, more.add(last, value)) };
      // A field for each: two transforms of one kind are applied one after the other.
      const said = OF_KINDS.find((field) => field.name === name)?.read({}, value);
      if (said === undefined || typeof said === 'string') return undefined;
      const made = (said.transforms ?? []).map((each) => (keys === undefined ? each : withKeys(each, keys)));
      return { transforms: [...transforms, ...made] };
    },
  },
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

/**
 * The fields of transforms. `frames`: what keys are made of until a field says it: `drop=Shop.wait&keys=line&merge=Shop.run:12`.
 */
function fieldsOfTransforms(transforms: readonly Transform[], frames: FrameGrouping): readonly Field[] {
  let keys = frames;
  return transforms.flatMap((transform): readonly Field[] => {
    const own = isKeyed(transform) ? (transform.keys ?? frames) : keys;
    const transformKind = kindOf(transform);
    const { kind, more } = transformKind;
    const fields = transformKind
      .values(transform)
      .map((value, at): Field => [at === 0 ? kind : (more?.field ?? kind), value]);
    if (own === keys) return fields;
    keys = own;
    return [['keys', own], ...fields];
  });
}

/**
 * The fragment of an address: `#log=server.hpl&thread=main&drop=Shop.wait`; '' for no scope, where threads are not grouped by
 * an attribute either. What the command line has an option for has its name.
 */
export function fragmentOf({ frames, threads, logs }: ScopeLink): string {
  const written = logs.map((log) => ({
    name: log.name,
    fields: PARTS.flatMap((part) => part.print(log, frames)),
  }));
  const fields = written.flatMap(({ name, fields: own }, at): readonly Field[] => {
    const isNeeded = written.slice(at).some((each) => each.name === name && each.fields.length > 0);
    return isNeeded ? [['log', name], ...own] : [];
  });
  if (fields.length === 0 && attributeOf(threads) === undefined) return '';
  if (threads !== undefined) fields.unshift(['threads', threads]);
  if (frames !== 'fqmn') fields.unshift(['frames', frames]);
  return `#${fields.map(fieldText).join('&')}`;
}

const NOTHING_READ = { scope: EMPTY_SCOPE, where: [], split: [], said: {}, saidBase: {}, transforms: [] };

/** Reads the fragment of any address: what is unknown or invalid in it is left out. Never throws. */
export function readFragment(fragment: string): ScopeLink {
  let frames: FrameGrouping = 'fqmn';
  let grouping: ThreadGrouping | undefined;
  const logs: ReadLog[] = [];
  let expressions = 0;
  let transformCount = 0;
  let mergeCount = 0;
  if (fragment.length > MOST_CHARACTERS) return { frames, threads: undefined, logs: [] };
  for (const text of fragment.replace(/^#/, '').split('&', MOST_FIELDS)) {
    const [name, value] = readField(text);
    const log = logs.at(-1);
    if (value === '') continue;
    if (isExpression(value) && ++expressions > MOST_EXPRESSIONS) continue;
    if (name === 'merged' && ++mergeCount > MOST_MERGES) continue;
    if (name === 'log') logs.push({ ...NOTHING_READ, name: value });
    else if (name === 'frames') frames = FRAME_GROUPINGS.find((each) => each === value) ?? frames;
    else if (name === 'threads') grouping = parseThreadGrouping(value) ?? grouping;
    else if (log !== undefined) {
      const part = PARTS.find(({ names }) => names.includes(name));
      const next = { ...log, ...part?.read(log, value, name) };
      if (next.transforms.length > log.transforms.length && ++transformCount > MOST_TRANSFORMS) continue;
      logs[logs.length - 1] = next;
    }
  }
  const isNeeded = logs.some(({ zoom }) => zoom !== undefined) || attributeOf(grouping) !== undefined;
  return {
    frames,
    threads: isNeeded ? grouping : undefined,
    logs: logs.map((read) => {
      const { said, saidBase, transforms, keys: _, ...log } = read;
      const parts = log.merge?.parts.length ?? 0;
      const baseline = partsMeant(saidBase);
      // The field of the frames may be anywhere.
      const keyed = transforms.map((transform) => withKeys(transform, frames));
      return {
        ...log,
        merge: parts > 1 && parts <= MOST_PARTS ? log.merge : undefined,
        scope: { ...EMPTY_SCOPE, ...partsMeant(said), transforms: keyed },
        ...(Object.keys(baseline).length > 0 && { baseline }),
      };
    }),
  };
}

/** The parts of a scope that have a meaning before its log is read. */
function partsMeant({ range: said, ...parts }: SaidScope): Partial<Scope> {
  const range = rangeMeant(said, undefined);
  return { ...(range && { range }), ...parts };
}

/** Also a text that only looks like one counts. */
function isExpression(value: string): boolean {
  return value.endsWith('/') || /^key (matches |finds \/)/.test(value);
}

/** Characters that a fragment may have as they are, so that it can be read: those of names and signatures. */
const READABLE: Readonly<Record<string, string>> = {
  '%24': '$',
  '%2C': ',',
  '%2F': '/',
  '%3A': ':',
  '%3B': ';',
  '%3F': '?',
  '%40': '@',
};

/** `name=value` as a part of a fragment. */
function fieldText([name, value]: Field): string {
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\u{fffd}'));
  return `${name}=${encoded.replace(/%2[4CF]|%3[ABF]|%40/g, (code) => READABLE[code])}`;
}

/** Its name and its value; both empty if it is none. */
function readField(text: string): Field {
  const at = text.indexOf('=');
  if (at < 0) return ['', ''];
  try {
    return [text.slice(0, at), decodeURIComponent(text.slice(at + 1))];
  } catch {
    return ['', ''];
  }
}
