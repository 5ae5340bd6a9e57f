import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  attributeOf,
  parseThreadGrouping,
  type ThreadGrouping,
} from '../../shared/engine/trees/grouping.ts';
import { EMPTY_SCOPE, type Transform } from '../../shared/scope/scope.ts';
import { isKeyed, kindOf, readTransform, withKeys } from '../../shared/scope/transforms.ts';
import { AFTER_TRANSFORMS, BEFORE_TRANSFORMS, type Field, type LinkedScope } from './link-parts.ts';

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

/**
 * The fragment of an address: `#log=server.hpl&thread=main&drop=Shop.wait`; '' for no scope. What the command line has an
 * option for has its name.
 */
export function fragmentOf({ frames, threads, logs }: ScopeLink): string {
  const written = logs.map((log) => ({ name: log.name, fields: fieldsOf(log, frames) }));
  const fields = written.flatMap(({ name, fields: own }, at): readonly Field[] => {
    const isNeeded = written.slice(at).some((each) => each.name === name && each.fields.length > 0);
    return isNeeded ? [['log', name], ...own] : [];
  });
  if (fields.length === 0) return '';
  if (threads !== undefined) fields.unshift(['threads', threads]);
  if (frames !== 'fqmn') fields.unshift(['frames', frames]);
  return `#${fields.map(fieldText).join('&')}`;
}

/** Empty where all of the log is shown. */
function fieldsOf(log: LinkedScope, frames: FrameGrouping): readonly Field[] {
  return [
    ...BEFORE_TRANSFORMS.flatMap((part) => part.print(log)),
    ...fieldsOfTransforms(log.scope.transforms, frames),
    ...AFTER_TRANSFORMS.flatMap((part) => part.print(log)),
  ];
}

/** Reads the fragment of any address: what is unknown or invalid in it is left out. Never throws. */
export function readFragment(fragment: string): ScopeLink {
  let frames: FrameGrouping = 'fqmn';
  let grouping: ThreadGrouping | undefined;
  const logs: LinkedScope[] = [];
  /** Grouping in the keys of further transforms of the log; undefined: that of frames. */
  let keys: FrameGrouping | undefined;
  let expressions = 0;
  let transformCount = 0;
  let mergeCount = 0;
  if (fragment.length > MOST_CHARACTERS) return { frames, threads: undefined, logs: [] };
  for (const text of fragment.replace(/^#/, '').split('&', MOST_FIELDS)) {
    const [name, value] = readField(text);
    const log = logs.at(-1);
    if (value === '') continue;
    if (isExpression(name, value) && ++expressions > MOST_EXPRESSIONS) continue;
    if (name === 'merged' && ++mergeCount > MOST_MERGES) continue;
    if (name === 'log') {
      logs.push({ name: value, scope: EMPTY_SCOPE, where: [], split: [], zoom: undefined });
      keys = undefined;
    } else if (name === 'frames') frames = FRAME_GROUPINGS.find((each) => each === value) ?? frames;
    else if (name === 'threads') grouping = parseThreadGrouping(value) ?? grouping;
    else if (log === undefined) continue;
    else if (name === 'keys') keys = FRAME_GROUPINGS.find((each) => each === value) ?? keys;
    else {
      const part = PARTS.find(({ names }) => names.includes(name));
      const transform = part === undefined ? readTransform(name, value, keys) : undefined;
      if (transform !== undefined && ++transformCount > MOST_TRANSFORMS) continue;
      const { transforms } = log.scope;
      const changed =
        transform === undefined ? withValue(transforms, name, value) : [...transforms, transform];
      logs[logs.length - 1] = {
        ...log,
        ...(part?.read(log, value, name) ?? { scope: { ...log.scope, transforms: changed } }),
      };
    }
  }
  return {
    frames,
    threads:
      logs.some(({ zoom }) => zoom !== undefined) || attributeOf(grouping) !== undefined
        ? grouping
        : undefined,
    logs: logs.map((log) => {
      const parts = log.merge?.parts.length ?? 0;
      // The field of the frames may be anywhere.
      const transforms = log.scope.transforms.map((transform) => withKeys(transform, frames));
      return {
        ...log,
        merge: parts > 1 && parts <= MOST_PARTS ? log.merge : undefined,
        scope: { ...log.scope, transforms },
      };
    }),
  };
}

const PARTS = [...BEFORE_TRANSFORMS, ...AFTER_TRANSFORMS];

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

/** The transforms with a further value of the last one, if the field is one of its kind. */
function withValue(transforms: readonly Transform[], name: string, value: string): readonly Transform[] {
  const last = transforms.at(-1);
  const more = last && kindOf(last).more;
  return last === undefined || more?.field !== name
    ? transforms
    : [...transforms.slice(0, -1), more.add(last, value)];
}

function isExpression(name: string, value: string): boolean {
  if (name.startsWith('context')) return value.endsWith('/');
  if (name === 'thread' || name.endsWith('-thread') || name === 'thread-base')
    return value.length > 2 && value.startsWith('/') && value.endsWith('/');
  return (name === 'rows' || name === 'and') && /^key (matches |finds \/)/.test(value);
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
