import { basename } from 'node:path';
import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import {
  answer,
  type AskedProfile,
  askedScope,
  engineWith,
  rangeIn,
  type ReadQuestion,
  requireContexts,
  requireSamples,
} from '../ask-profile.ts';
import { CommandError, type CommandIo } from '../io/command-io.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { readProfile } from '../read-profile.ts';
import { type Allowed, AllowedFiles } from './allowed-files.ts';
import { z } from 'zod';
import { type SaidScope, SCOPE_FIELDS } from '../../../shared/scope/scope-fields.ts';
import type { GivenOption } from '../options/options.ts';
import { scopeOf } from '../options/scope-options.ts';

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

  /** Messages of commands since this was asked last. */
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
    const isFirstView = given?.includes(COUNT_ALL) !== true;
    const { query, range } = askedScope({ ...INITIAL_QUERY, ...more }, scopeOfArgument(given));
    const { scope } = query;
    if (scope.contexts !== undefined) requireContexts('scope: context, took, began and slower', read);
    return {
      engine,
      log,
      query: { ...query, scope: { ...scope, range: rangeIn(range, read) } },
      read,
      isFirstView,
    };
  }

  /** Throws CommandError if no sample is in scope. */
  async ask(
    handle: string,
    given: ScopeArgument | undefined,
    more: Partial<ProfileQuery> = {},
  ): Promise<AskedProfile> {
    const asked = requireSamples(answer(await this.question(handle, given, more)));
    if (asked.leftOut !== undefined) this.io.stderr(asked.leftOut.text.replace('--', ''));
    return asked;
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

const MOST_TEXTS = 100;

/** The scope of a question: the options of the command line, as texts. */
export const SCOPE_ARGUMENT = z.array(z.string()).max(MOST_TEXTS);

type ScopeArgument = z.infer<typeof SCOPE_ARGUMENT>;

/** The text of a scope in which everything counts that a first view leaves out. */
const COUNT_ALL = 'count-all';

/** The fields of a scope. Those of one kind of value are one: `keep|drop|focus|merge=KEY`. */
function fieldShapes(): string {
  const shapes = new Map<string, string>();
  for (const { name, value } of SCOPE_FIELDS) {
    const others = shapes.get(value);
    shapes.set(value, others === undefined ? name : `${others}|${name}`);
  }
  return Array.from(shapes, ([value, names]) => `${names}=${value}`).join(', ');
}

/** The way in which a scope is written, for the texts of tools. */
export const SCOPE_HELP = `scope, a list of texts, in order: ${fieldShapes()}; count-all: samples without a stack, and idle threads, count. TIME: 12.5s after the first sample, or ISO; NAME: of a thread, pool-* or /regex/; KEY=VALUE: operation=checkout; FROM..TO: 1s.., 5m..6m; KEY: pkg.Class.method; as ["from=12.5s", "keep=KEY"]`;

/** The scope that texts say. Throws UsageError. */
export function scopeOfArgument(texts: ScopeArgument = []): SaidScope {
  const fields = texts.filter((text) => text !== COUNT_ALL);
  const options = fields.map((text): GivenOption => {
    const [option] = text.split('=', 1);
    const names = SCOPE_FIELDS.map(({ name }) => name);
    if (!names.includes(option) || option === text)
      throw new UsageError(
        `scope cannot have '${text}': it is ${names.join('=, ')}=${didYouMean(option, names)}`,
      );
    return { option, value: text.slice(option.length + 1) };
  });
  return scopeOf(options, '', 'scope: ');
}
