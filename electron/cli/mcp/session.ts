import { basename } from 'node:path';
import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import {
  answer,
  type AskedProfile,
  engineWith,
  givenRange,
  type GivenRange,
  rangeIn,
  type ReadQuestion,
  requireContexts,
  requireSamples,
} from '../ask-profile.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { readProfile } from '../read-profile.ts';
import { type Allowed, AllowedFiles } from './allowed-files.ts';
import { z } from 'zod';
import { typedThreads, threadProblem } from '../../../shared/scope/thread-pattern.ts';
import { parseTime } from '../../../shared/scope/time-range.ts';
import { kindOf, readTransform } from '../../../shared/scope/transforms.ts';
import { TRANSFORMS } from '../../../shared/scope/transform-list.ts';
import type { Scope, Transform } from '../../../shared/scope/scope.ts';
import { contextsOf } from '../options/scope-options.ts';

/** A profile that an assistant has opened. Its handle is valid as long as the server runs. */
export interface Opened {
  readonly handle: string;
  readonly path: string;
  readonly chosen: Chosen;
}

/** Profiles that stay in memory; an older one is read again when it is asked. */
const MOST_READ = 4;

type Read = Pick<ReadQuestion, 'engine' | 'log' | 'read'>;

/** No dataset is opened as a profile: the tool `query` asks datasets. */
const NO_FLEET = { where: undefined, per: 'pool', sql: undefined, order: 'leaf' } as const;

/** The profiles that an assistant has opened, and the answers to its questions. */
export class Session {
  readonly allowed: AllowedFiles;
  readonly opened: Opened[];
  /** Messages of the last question, for the one who asked. */
  readonly #messages: string[] = [];
  readonly #read = new Map<string, Read>();

  /** `opened`: by an earlier session. */
  constructor(allowed: Allowed, opened: readonly Opened[] = []) {
    this.allowed = new AllowedFiles(allowed);
    this.opened = [...opened];
  }

  /** Where commands write: nothing reaches a stream of the process. */
  readonly io: CommandIo = {
    stdin: () => {
      throw new CommandError('standard input cannot be read here; name a file');
    },
    stdout: () => undefined,
    stderr: (text) => void this.#messages.push(text.trimEnd()),
    showsProgress: false,
  };

  /** What commands have told since it was asked last. */
  takeMessages(): readonly string[] {
    return this.#messages.splice(0);
  }

  /** Opens a file; one that is open with the same choices keeps its handle. Throws CommandError. */
  async open(path: string, chosen: Chosen): Promise<Opened> {
    const real = this.allowed.readable(path);
    const key = JSON.stringify(chosen);
    const known = this.opened.find((each) => each.path === real && JSON.stringify(each.chosen) === key);
    if (known !== undefined) return known;
    const name = basename(real).replace(/[^\w.-]+/g, '_');
    const taken = this.opened.map(({ handle }) => handle);
    let handle = name;
    for (let number = 2; taken.includes(handle); number++) handle = `${name}#${number}`;
    const opened = { handle, path: real, chosen };
    await this.#readOf(opened);
    this.opened.push(opened);
    return opened;
  }

  async read(handle: string): Promise<Read> {
    const opened = this.opened.find((each) => each.handle === handle);
    if (opened === undefined) {
      const handles = this.opened.map((each) => each.handle);
      const known = handles.length === 0 ? 'nothing is open' : `open: ${handles.join(', ')}`;
      throw new CommandError(
        `there is no profile '${handle}', ${known}; call open with a path first${didYouMean(handle, handles)}`,
      );
    }
    return this.#readOf(opened);
  }

  async question(
    handle: string,
    given: ScopeArgument | undefined,
    more: Partial<ProfileQuery> = {},
  ): Promise<ReadQuestion> {
    const { engine, log, read } = await this.read(handle);
    const { scope, range } = scopeOfArgument(given);
    if (scope.contexts !== undefined) requireContexts('scope.contexts and scope.slower', read);
    const query = { ...INITIAL_QUERY, ...more, scope: { ...scope, range: rangeIn(range, read) } };
    return { engine, log, query, read };
  }

  /** Throws CommandError if no sample is in scope. */
  async ask(
    handle: string,
    given: ScopeArgument | undefined,
    more: Partial<ProfileQuery> = {},
  ): Promise<AskedProfile> {
    return requireSamples(answer(await this.question(handle, given, more)));
  }

  async #readOf({ handle, path, chosen }: Opened): Promise<Read> {
    const known = this.#read.get(handle);
    if (known !== undefined) {
      // The one that was asked last is dropped last.
      this.#read.delete(handle);
      this.#read.set(handle, known);
      return known;
    }
    // Links may have changed since it was opened.
    const read = await readProfile(
      { paths: [this.allowed.readable(path)], chosen, fleet: NO_FLEET },
      this.io,
      true,
    );
    const made = { ...engineWith(read.profile), read };
    this.#read.set(handle, made);
    const [oldest] = this.#read.keys();
    if (this.#read.size > MOST_READ) this.#read.delete(oldest);
    return made;
  }
}

const MOST_PARTS = 100;
/** How the text of `contexts` begins that names the percentage of the slowest: `slower=99%`. */
const SLOWER = 'slower=';
const KINDS = TRANSFORMS.map(({ kind }) => kind);

/** The scope of a question, as the engine has it, with times as people write them. */
export const SCOPE_ARGUMENT = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    threads: z.array(z.string()),
    // A list of texts: SCOPE_HELP says so once, while a schema would be repeated in each tool.
    contexts: z.unknown(),
    transforms: z.array(z.looseObject({})),
  })
  .partial();

type ScopeArgument = z.infer<typeof SCOPE_ARGUMENT>;

/** The shapes of transforms. Kinds of one shape are one: `{kind: keep|drop, key: KEY}`. */
function transformShapes(): string {
  const kindsOf = new Map<string, string[]>();
  for (const each of TRANSFORMS) {
    const { value = '', choices } = each.option;
    const text = choices?.join('|') ?? value;
    const fields = fieldsOf(each.read(choices?.[0] ?? value)).map(
      ([name, made]) => `${name}: ${Array.isArray(made) ? `[${text}]` : text}`,
    );
    kindsOf.set(fields.join(), [...(kindsOf.get(fields.join()) ?? []), each.kind]);
  }
  return Array.from(kindsOf, ([fields, kinds]) => `{kind: ${kinds.join('|')}, ${fields}}`).join(', ');
}

/** How the parts of a scope are written, for the texts of tools. */
export const SCOPE_HELP = `scope {from, to: "12.5s" after the first sample, or ISO; threads: names, pool-* or /regex/; contexts: ["operation=checkout", "slower=99%"]; transforms, in order: ${transformShapes()}}; KEY: pkg.Class.method`;

/** The scope and its range, which is resolved when the file is known. Throws UsageError. */
function scopeOfArgument(given: ScopeArgument = {}): { scope: Scope; range: GivenRange | undefined } {
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
  const range = givenRange(time('from'), time('to'));
  const threads = typedThreads(given.threads ?? []);
  const problem = threads.map(threadProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new UsageError(`scope.threads: ${problem}`);
  const transforms = (given.transforms ?? []).map(transformOf);
  const slower = asked.find((text) => text.startsWith(SLOWER))?.slice(SLOWER.length);
  const where = asked.filter((text) => !text.startsWith(SLOWER));
  const contexts = contextsOf(where, slower, { where: 'scope.contexts', slower: 'slower of scope.contexts' });
  return {
    scope: { threads, contexts, transforms },
    range,
  };
}

/** Throws UsageError for what is no list of texts. */
function textsOf(contexts: unknown): readonly string[] {
  if (contexts === undefined) return [];
  if (Array.isArray(contexts) && contexts.every((text) => typeof text === 'string')) return contexts;
  throw new UsageError('scope.contexts is a list of texts as ["operation=checkout", "slower=99%"]');
}

/** The fields of a transform besides its kind. */
function fieldsOf(transform: Transform | undefined): readonly (readonly [string, unknown])[] {
  return Object.entries(transform ?? {}).filter(([name]) => name !== 'kind');
}

function transformOf({ kind: given, ...fields }: Readonly<Record<string, unknown>>, at: number): Transform {
  const kind = KINDS.find((each) => each === given);
  if (kind === undefined)
    throw new UsageError(
      `scope.transforms[${at}].kind cannot be '${String(given)}': it is one of ${KINDS.join(', ')}${didYouMean(String(given), KINDS)}`,
    );
  const values = Object.values(fields).flat();
  const texts = values.filter((value) => typeof value === 'string');
  const { more } = kindOf({ kind } as Transform);
  const read = readTransform(kind, more === undefined ? texts.join(',') : (texts.at(0) ?? ''));
  const made = read && more ? texts.slice(1).reduce((sum, text) => more.add(sum, text), read) : read;
  const names = fieldsOf(made).map(([name]) => name);
  const isMade =
    texts.length > 0 && texts.length === values.length && names.join() === Object.keys(fields).join();
  if (made !== undefined && isMade) return made;
  const wrong = Object.keys(fields).find((name) => !names.includes(name));
  throw new UsageError(
    `scope.transforms[${at}]: {kind: ${kind}} takes ${names.length === 0 ? 'another value' : `{${names.join()}: …}`}${wrong === undefined ? '' : didYouMean(wrong, names)}`,
  );
}
