import {
  FRAME_GROUPINGS,
  type FrameGrouping,
  attributeOf,
  parseThreadGrouping,
  type ThreadGrouping,
} from '../../../shared/engine/trees/grouping.ts';
import { type Baseline, EMPTY_SCOPE, type Scope, type Transform } from '../../../shared/scope/scope.ts';
import { type SaidScope, SCOPE_FIELDS } from '../../../shared/scope/scope-fields.ts';
import { rangeMeant } from '../../../shared/scope/time-range.ts';
import { isKeyed, kindOf, withKeys } from '../../../shared/scope/transforms.ts';
import { AFTER_SCOPE, BEFORE_SCOPE, type Field, type LinkedScope } from './link-parts.ts';

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
 * The fragment of an address: `#log=server.hpl&thread=main&drop=Shop.wait`; '' for no scope, where threads are not grouped by
 * an attribute either. What the command line has an option for has its name.
 */
export function fragmentOf({ frames, threads, logs }: ScopeLink): string {
  const written = logs.map((log) => ({ name: log.name, fields: fieldsOf(log, frames) }));
  const fields = written.flatMap(({ name, fields: own }, at): readonly Field[] => {
    const isNeeded = written.slice(at).some((each) => each.name === name && each.fields.length > 0);
    return isNeeded ? [['log', name], ...own] : [];
  });
  if (fields.length === 0 && attributeOf(threads) === undefined) return '';
  if (threads !== undefined) fields.unshift(['threads', threads]);
  if (frames !== 'fqmn') fields.unshift(['frames', frames]);
  return `#${fields.map(fieldText).join('&')}`;
}

/** Empty where all of the log is shown. */
function fieldsOf(log: LinkedScope, frames: FrameGrouping): readonly Field[] {
  return [
    ...BEFORE_SCOPE.flatMap((part) => part.print(log)),
    ...fieldsOfScope(log.scope, ''),
    ...fieldsOfScope(log.baseline ?? {}, '-base'),
    ...fieldsOfTransforms(log.scope.transforms, frames),
    ...AFTER_SCOPE.flatMap((part) => part.print(log)),
  ];
}

/** The fields of a scope or a baseline without its transforms. `suffix`: as on the command line. */
function fieldsOfScope(scope: Baseline, suffix: '' | '-base'): readonly Field[] {
  return SCOPE_FIELDS.flatMap(({ name, print }) =>
    (print?.(scope) ?? []).map((value): Field => [name + suffix, value]),
  );
}

/** The part of a log that the fields read so far have said. */
interface LogRead {
  readonly log: LinkedScope;
  /** The scope without its transforms. */
  readonly said: SaidScope;
  /** `log.baseline`. */
  readonly base: SaidScope;
  readonly transforms: readonly Transform[];
}

/** Reads the fragment of any address: what is unknown or invalid in it is left out. Never throws. */
export function readFragment(fragment: string): ScopeLink {
  let frames: FrameGrouping = 'fqmn';
  let grouping: ThreadGrouping | undefined;
  const logs: LogRead[] = [];
  /** Grouping in the keys of further transforms of the log; undefined: that of frames. */
  let keys: FrameGrouping | undefined;
  let expressions = 0;
  let transformCount = 0;
  let mergeCount = 0;
  if (fragment.length > MOST_CHARACTERS) return { frames, threads: undefined, logs: [] };
  for (const text of fragment.replace(/^#/, '').split('&', MOST_FIELDS)) {
    const [name, value] = readField(text);
    const read = logs.at(-1);
    if (value === '') continue;
    if (isExpression(value) && ++expressions > MOST_EXPRESSIONS) continue;
    if (name === 'merged' && ++mergeCount > MOST_MERGES) continue;
    if (name === 'log') {
      const log = { name: value, scope: EMPTY_SCOPE, where: [], split: [], zoom: undefined };
      logs.push({ log, said: {}, base: {}, transforms: [] });
      keys = undefined;
    } else if (name === 'frames') frames = FRAME_GROUPINGS.find((each) => each === value) ?? frames;
    else if (name === 'threads') grouping = parseThreadGrouping(value) ?? grouping;
    else if (read === undefined) continue;
    else if (name === 'keys') keys = FRAME_GROUPINGS.find((each) => each === value) ?? keys;
    else {
      const next = withField(read, name, value, keys);
      if (next.transforms.length > read.transforms.length && ++transformCount > MOST_TRANSFORMS) continue;
      logs[logs.length - 1] = next;
    }
  }
  return {
    frames,
    threads:
      logs.some(({ log }) => log.zoom !== undefined) || attributeOf(grouping) !== undefined
        ? grouping
        : undefined,
    logs: logs.map(({ log, said, base, transforms }) => {
      const parts = log.merge?.parts.length ?? 0;
      const baseline = partsMeant(base);
      return {
        ...log,
        merge: parts > 1 && parts <= MOST_PARTS ? log.merge : undefined,
        scope: {
          ...EMPTY_SCOPE,
          ...partsMeant(said),
          // The field of the frames may be anywhere.
          transforms: transforms.map((transform) => withKeys(transform, frames)),
        },
        ...(Object.keys(baseline).length > 0 && { baseline }),
      };
    }),
  };
}

/** The state after a further field; as before where the field is unknown, or its value invalid. */
function withField(read: LogRead, name: string, value: string, keys: FrameGrouping | undefined): LogRead {
  const { log, said, base, transforms } = read;
  const part = PARTS.find(({ names }) => names.includes(name));
  if (part !== undefined) return { ...read, log: { ...log, ...part.read(log, value, name) } };
  const ofScope = SCOPE_FIELDS.find((field) => field.name === name);
  const ofBase = SCOPE_FIELDS.find(
    (field) =>
      field.helpOfBase !== undefined && (name === `${field.name}-base` || name === `base-${field.name}`),
  );
  const next = ofScope?.read(said, value) ?? ofBase?.read(base, value);
  if (next === undefined) return { ...read, transforms: withValue(transforms, name, value) };
  if (typeof next === 'string') return read;
  if (ofScope === undefined) return { ...read, base: next };
  // A field for each: two transforms of one kind are applied one after the other.
  const { transforms: made = [], ...others } = next;
  return {
    ...read,
    said: others,
    transforms: [...transforms, ...made.map((each) => (keys === undefined ? each : withKeys(each, keys)))],
  };
}

/** The parts of a scope that have a meaning before its log is read. */
function partsMeant({ range: said, ...parts }: SaidScope): Partial<Scope> {
  const range = rangeMeant(said, undefined);
  return { ...(range && { range }), ...parts };
}

const PARTS = [...BEFORE_SCOPE, ...AFTER_SCOPE];

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
