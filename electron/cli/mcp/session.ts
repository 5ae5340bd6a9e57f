import { basename } from 'node:path';
import { Engine } from '../../../shared/engine/engine.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../../shared/engine/query.ts';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { answer, type AskedProfile, rangeIn, requireContexts, type ReadQuestion } from '../ask-profile.ts';
import { CommandError, type CommandIo, didYouMean } from '../command-io.ts';
import { readProfile, type ReadProfile } from '../read-profile.ts';
import { type Allowed, AllowedFiles } from './allowed-files.ts';
import { type ScopeArgument, scopeOfArgument } from './scope-argument.ts';

/** A profile that an assistant has opened. Its handle is valid as long as the server runs. */
export interface Opened {
  readonly handle: string;
  readonly path: string;
  readonly chosen: Chosen;
}

/** Profiles that stay in memory; an older one is read again when it is asked. */
const MOST_READ = 4;

interface Read {
  readonly engine: Engine;
  readonly read: ReadProfile;
}

/** Datasets are asked by query. */
const NO_FLEET = { where: undefined, per: 'pool', sql: undefined, order: 'leaf' } as const;

const LOG = 'read';

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
    const { engine, read } = await this.read(handle);
    const { scope, range } = scopeOfArgument(given);
    if (scope.contexts !== undefined) requireContexts('scope.contexts and scope.slower', read);
    const query = { ...INITIAL_QUERY, ...more, scope: { ...scope, range: rangeIn(range, read) } };
    return { engine, log: LOG, query, read };
  }

  /** Throws CommandError if no sample is in scope. */
  async ask(
    handle: string,
    given: ScopeArgument | undefined,
    more: Partial<ProfileQuery> = {},
  ): Promise<AskedProfile> {
    const asked = answer(await this.question(handle, given, more));
    if (asked.emptied !== undefined) throw new CommandError(asked.emptied);
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
    const engine = new Engine();
    engine.add(LOG, read.profile);
    const made = { engine, read };
    this.#read.set(handle, made);
    const [oldest] = this.#read.keys();
    if (this.#read.size > MOST_READ) this.#read.delete(oldest);
    return made;
  }
}
