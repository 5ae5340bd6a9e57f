import {
  EMPTY_SCOPE,
  isEmptyScope,
  MACHINE_NAMES,
  type Scope,
  type Transform,
} from '../../shared/scope/scope.ts';
import { FRAME_GROUPINGS, type FrameGrouping } from '../../shared/trees/grouping.ts';
import { parseSearch } from '../../shared/views/search.ts';

/** The scope of one log in an address. */
export interface LinkedScope {
  /** Of the log. */
  readonly name: string;
  readonly scope: Scope;
}

/** What an address says about scopes. Of several logs of one name the first is meant first. */
export interface ScopeLink {
  /** What the keys of the scopes are made of. */
  readonly frames: FrameGrouping;
  readonly logs: readonly LinkedScope[];
}

/** Limits for what an address may ask for: none comes near them by hand. */
const MOST_CHARACTERS = 60_000;
const MOST_FIELDS = 2_000;

/** The fragment of an address, with the names of the command line: `#log=server.hpl&thread=main&drop=Shop.wait`; '' for no scope. */
export function fragmentOf({ frames, logs }: ScopeLink): string {
  const fields: string[] = [];
  logs.forEach(({ name, scope }, at) => {
    const isNeeded = logs.some(
      (each, place) => place >= at && each.name === name && !isEmptyScope(each.scope),
    );
    if (!isNeeded) return;
    fields.push(field('log', name), ...scope.threads.map((thread) => field('thread', thread)));
    for (const transform of scope.transforms) fields.push(...fieldsOf(transform));
  });
  if (fields.length === 0) return '';
  if (frames !== 'fqmn') fields.unshift(field('frames', frames));
  return `#${fields.join('&')}`;
}

/** Reads the fragment of any address: what is unknown or invalid in it is left out. Never throws. */
export function readFragment(fragment: string): ScopeLink {
  let frames: FrameGrouping = 'fqmn';
  const logs: { readonly name: string; readonly threads: string[]; readonly transforms: Transform[] }[] = [];
  if (fragment.length > MOST_CHARACTERS) return { frames, logs: [] };
  for (const text of fragment.replace(/^#/, '').split('&', MOST_FIELDS)) {
    const [name, value] = readField(text);
    const log = logs.at(-1);
    if (value === '') continue;
    if (name === 'log') logs.push({ name: value, threads: [], transforms: [] });
    else if (name === 'frames') frames = FRAME_GROUPINGS.find((each) => each === value) ?? frames;
    else if (log === undefined) continue;
    else if (name === 'thread') {
      // As a search: an expression must be valid, and no name may keep it busy for ever.
      if (parseSearch(value).problem === undefined) log.threads.push(value);
    } else if (name === 'or') addPrefix(log.transforms, value);
    else {
      const transform = transformOf(name, value);
      if (transform !== undefined) log.transforms.push(transform);
    }
  }
  return {
    frames,
    logs: logs.map(({ name, threads, transforms }) => ({
      name,
      scope: { ...EMPTY_SCOPE, threads, transforms },
    })),
  };
}

function fieldsOf(transform: Transform): readonly string[] {
  switch (transform.kind) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return [field(transform.kind, transform.key)];
    case 'only':
      return transform.prefixes.map((prefix, at) => field(at === 0 ? 'only' : 'or', prefix));
    case 'collapse':
      return [field('collapse', transform.prefix)];
    case 'collapse-recursion':
      return [field('collapse-recursion', transform.of)];
    case 'fold':
      return [field('fold', transform.names.join(','))];
  }
}

function transformOf(name: string, value: string): Transform | undefined {
  switch (name) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return { kind: name, key: value };
    case 'only':
      return { kind: 'only', prefixes: [value] };
    case 'collapse':
      return { kind: 'collapse', prefix: value };
    case 'collapse-recursion':
      return value === 'all' || value === 'direct' ? { kind: 'collapse-recursion', of: value } : undefined;
    case 'fold': {
      const wanted = value.split(',');
      const names = MACHINE_NAMES.filter((each) => wanted.includes(each));
      return names.length === 0 ? undefined : { kind: 'fold', names };
    }
    default:
      return undefined;
  }
}

/** A further prefix of the `only` before it. */
function addPrefix(transforms: Transform[], prefix: string): void {
  const last = transforms.at(-1);
  if (last?.kind === 'only')
    transforms[transforms.length - 1] = { kind: 'only', prefixes: [...last.prefixes, prefix] };
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

function field(name: string, value: string): string {
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\u{fffd}'));
  return `${name}=${encoded.replace(/%2[4CF]|%3[ABF]|%40/g, (code) => READABLE[code])}`;
}

function readField(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 0) return ['', ''];
  try {
    return [text.slice(0, at), decodeURIComponent(text.slice(at + 1))];
  } catch {
    return ['', ''];
  }
}
