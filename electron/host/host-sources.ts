import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type {
  EditorEntry,
  SourceAnswer,
  SourceHostMessage,
  SourceRootEntry,
  SourceRootId,
  SourceSettings,
} from '../../shared/protocol/source-messages.ts';
import type { ClassSource, SourceClientMessage } from '../../shared/protocol/client-messages.ts';
import { printable } from '../../shared/text/printable.ts';
import { systemPath } from '../source/open-file.ts';
import {
  type Editor,
  EditorOpener,
  splitCommand,
  type StartProgram,
  findEditors,
} from '../source-code/editor.ts';
import { type Jdk, findJdks } from '../source-code/jdks.ts';
import { SourceRefusal, sourceText } from '../source-code/source-file.ts';
import { SourceFinder } from '../source-code/source-finder.ts';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { StoredFile, type WriteSettings } from './stored-file.ts';
import { homedir } from 'node:os';
import { errorMessage } from '../../shared/text/error-message.ts';

/** The system's dialogs; a host without them has none of these. */
export interface SourceDialogs {
  /** Asks for folders, or for archives; none if the user cancels. */
  choose(kind: 'folder' | 'archive'): Promise<readonly string[]>;
  /** Whether the user wants this command to be run for source files. */
  confirmEditor(command: string): Promise<boolean>;
}

interface HostSourcesOptions {
  readonly settings: { load(): StoredSources; save(settings: StoredSources): void };
  /** Absolute paths for this run only. */
  readonly roots: readonly string[];
  /** A command for this run only. */
  readonly editor?: string | undefined;
  readonly findJdks: () => Promise<readonly Jdk[]>;
  readonly findEditors: () => Promise<readonly Editor[]>;
  readonly dialogs?: SourceDialogs;
  readonly startProgram?: StartProgram;
}

type Reply = (message: SourceHostMessage) => void;

const CUSTOM = 'custom';

/**
 * Answers what clients ask about sources. A client names classes and ids, never paths: it gets only files that are found
 * by the name of a class in a folder or archive that the user has chosen, or in a JDK.
 */
export class HostSources {
  readonly #options: HostSourcesOptions;
  readonly #finder: SourceFinder;
  readonly #opener: EditorOpener;
  /** Paths for this run only. */
  #ofRun: readonly string[];
  #stored: StoredSources;
  #editors: Promise<readonly Editor[]> | undefined;

  constructor(options: HostSourcesOptions) {
    this.#options = options;
    this.#ofRun = options.roots;
    this.#stored = options.settings.load();
    this.#finder = new SourceFinder(options.findJdks);
    this.#opener = new EditorOpener(options.startProgram);
    this.#finder.use(this.#paths);
  }

  /** Looks in these folders and archives, too, for this run. */
  addForRun(paths: readonly string[]): void {
    this.#ofRun = [...new Set([...this.#ofRun, ...paths])];
    this.#finder.use(this.#paths);
  }

  /** Handles a message. Rejects with an error whose message is a sentence for the user. */
  async handle(message: SourceClientMessage, reply: Reply, replyToAll: Reply): Promise<void> {
    switch (message.type) {
      case 'findSource':
        reply({ type: 'source', request: message.request, answer: await this.#find(message) });
        return;
      case 'editSource':
        return this.#edit(message, message.line);
      case 'addSource':
        await this.#add(message.kind);
        break;
      case 'removeSource':
        this.#store({ roots: this.#stored.roots.filter((path) => idOf(path) !== message.root) });
        break;
      case 'chooseEditor':
        await this.#chooseEditor(message.editor);
        break;
      case 'setEditor':
        await this.#setEditor(message.command);
        break;
    }
    replyToAll({ type: 'sources', settings: await this.settings() });
  }

  /** The settings as they are when it resolves: made again if they were changed meanwhile, so that no older ones follow. */
  async settings(): Promise<SourceSettings> {
    for (;;) {
      const [stored, ofRun] = [this.#stored, this.#ofRun];
      const settings = await this.#presentSettings();
      if (stored === this.#stored && ofRun === this.#ofRun) return settings;
    }
  }

  close(): void {
    this.#opener.close();
  }

  async #presentSettings(): Promise<SourceSettings> {
    const ofRun = this.#ofRun.map((path) => rootEntry(path, true));
    const stored = this.#stored.roots.map((path) => rootEntry(path, false));
    const jdks = await this.#finder.jdks();
    const editors = await this.#allEditors();
    return {
      roots: await Promise.all([...ofRun, ...stored]),
      jdks: jdks.map((jdk) => ({ name: jdkName(jdk), folder: printable(jdk.home) })),
      editors: editors.map(({ id, name, command }) => ({ id, name, command: printable(command) })),
      editor: this.#editorOf(editors)?.id,
      canChange: this.#options.dialogs !== undefined,
    };
  }

  get #paths(): readonly string[] {
    return [...new Set([...this.#ofRun, ...this.#stored.roots])];
  }

  async #find(wanted: ClassSource): Promise<SourceAnswer> {
    const found = await this.#finder.find(wanted);
    if (found.kind === 'missing')
      return { kind: 'missing', fileNames: found.fileNames, problems: found.problems.map(printable) };
    const { file, others, jdk, isUnfit } = found;
    const notes: string[] = [];
    if (jdk !== undefined) notes.push(`From ${jdkName(jdk)}.`);
    if (isUnfit)
      notes.push(
        'Most of the recorded lines are not in this method here: the program probably ran on another version of Java.',
      );
    if (others > 0)
      notes.push(
        others === 1
          ? 'There is another file of this name.'
          : `There are ${others} other files of this name.`,
      );
    try {
      const text = sourceText(await file.read());
      const version = jdk === undefined || jdk.version === '' ? {} : { jdk: printable(jdk.version) };
      return { kind: 'found', name: file.name, place: printable(file.place), text, notes, ...version };
    } catch (error) {
      return {
        kind: 'missing',
        fileNames: [file.name],
        problems: [printable(sentenceOf(error, file.place))],
      };
    }
  }

  async #edit(wanted: ClassSource, line: number): Promise<void> {
    const editor = this.#editorOf(await this.#allEditors());
    if (editor === undefined) throw new Error('No editor was found. Choose one in Sources.');
    const found = await this.#finder.find(wanted);
    if (found.kind === 'missing') throw new Error('The source file is not there any more.');
    try {
      await this.#opener.open(editor.command, found.file, Math.max(1, line));
    } catch (error) {
      const reason = errorMessage(error);
      throw new Error(`The editor was not started (${editor.command}): ${reason}`, { cause: error });
    }
  }

  async #add(kind: 'folder' | 'archive'): Promise<void> {
    const { dialogs } = this.#options;
    if (dialogs === undefined) throw new Error('Sources are added with the option --source here.');
    const paths = await dialogs.choose(kind);
    this.#store({ roots: [...new Set([...this.#stored.roots, ...paths])] });
  }

  async #chooseEditor(id: string): Promise<void> {
    if (!(await this.#allEditors()).some((editor) => editor.id === id))
      throw new Error('There is no such editor.');
    this.#store({ editor: id });
  }

  async #setEditor(command: string): Promise<void> {
    const { dialogs } = this.#options;
    if (dialogs === undefined) throw new Error('The editor is set with the option --editor here.');
    splitCommand(command);
    if (await dialogs.confirmEditor(command)) this.#store({ editor: CUSTOM, command });
  }

  #store(change: Partial<StoredSources>): void {
    this.#stored = { ...this.#stored, ...change };
    this.#options.settings.save(this.#stored);
    this.#finder.use(this.#paths);
  }

  /** The editors that are installed, and the user's own. */
  async #allEditors(): Promise<readonly Editor[]> {
    this.#editors ??= this.#options.findEditors();
    const command = this.#options.editor ?? this.#stored.command;
    const own: readonly EditorEntry[] =
      command === undefined ? [] : [{ id: CUSTOM, name: 'Own command', command }];
    return [...(await this.#editors), ...own];
  }

  /** The one of the command line, that of the settings, or the first. */
  #editorOf(editors: readonly Editor[]): Editor | undefined {
    const id = this.#options.editor === undefined ? this.#stored.editor : CUSTOM;
    return editors.find((editor) => editor.id === id) ?? editors.at(0);
  }
}

async function rootEntry(path: string, isOfCommandLine: boolean): Promise<SourceRootEntry> {
  const kind = await stat(path).then(
    (found) => (found.isFile() ? 'archive' : 'folder'),
    () => 'missing' as const,
  );
  return { id: idOf(path), path: printable(path), kind, isOfCommandLine };
}

/** An id that is the same in every run. */
function idOf(path: string): SourceRootId {
  return createHash('sha256').update(systemPath(path)).digest('hex').slice(0, 32) as SourceRootId;
}

function jdkName({ version }: Jdk): string {
  return version === '' ? 'a JDK' : `JDK ${version}`;
}

function sentenceOf(error: unknown, place: string): string {
  return error instanceof SourceRefusal ? error.message : `${place} cannot be read.`;
}

const MAX_ROOTS = 100;

const storedSettings = z.strictObject({
  version: z.literal(1),
  roots: z.array(z.string().max(4096)).max(MAX_ROOTS),
  /** Id of an editor, or `custom`. */
  editor: z.string().max(40).optional(),
  /** The user's own command. */
  command: z.string().max(1000).optional(),
});

/** Where sources are looked for, and with what they are opened. */
interface StoredSources {
  /** Absolute paths of folders and archives, in the order in which they are looked in. */
  readonly roots: readonly string[];
  readonly editor: string | undefined;
  readonly command: string | undefined;
}

/** These settings in a file: see `StoredFile`. */
export class SourceSettingsFile {
  readonly #stored: StoredFile<typeof storedSettings>;

  /** `folder` is created when the settings are first saved. */
  constructor(folder: string, write?: WriteSettings) {
    this.#stored = new StoredFile(join(folder, 'sources.json'), storedSettings, write);
  }

  load(): StoredSources {
    const stored = this.#stored.load();
    const roots = (stored?.roots ?? []).filter((path) => isAbsolute(path));
    return { roots, editor: stored?.editor, command: stored?.command };
  }

  save({ roots, editor, command }: StoredSources): void {
    this.#stored.save({ version: 1, roots: roots.slice(0, MAX_ROOTS), editor, command });
  }
}

interface LocalSourcesOptions {
  /** Where the settings are kept. */
  readonly settingsFolder: string;
  readonly write: WriteSettings;
  /** Folders and archives for this run only. */
  readonly roots: readonly string[];
  /** A command for this run only. */
  readonly editor?: string | undefined;
  readonly dialogs?: SourceDialogs;
}

/** The sources, JDKs and editors of this machine. */
export function localSources({
  settingsFolder,
  write,
  roots,
  editor,
  dialogs,
}: LocalSourcesOptions): HostSources {
  const { env, platform } = process;
  return new HostSources({
    settings: new SourceSettingsFile(settingsFolder, write),
    roots: roots.map((path) => resolve(path)),
    editor,
    findJdks: () => findJdks({ env, platform, userFolder: homedir() }),
    findEditors: () => findEditors({ env, platform }),
    ...(dialogs === undefined ? {} : { dialogs }),
  });
}
