declare const brand: unique symbol;

/** A folder or archive of sources. Clients cannot name paths, only these ids. */
export type SourceRootId = string & { readonly [brand]: 'SourceRootId' };

export interface SourceRootEntry {
  readonly id: SourceRootId;
  /** For the user. */
  readonly path: string;
  readonly kind: 'folder' | 'archive' | 'missing';
  /** Given on the command line: it is not kept and cannot be removed. */
  readonly isOfCommandLine: boolean;
}

/** An editor that opens a source file at a line. */
export interface EditorEntry {
  /** `custom`: a command of the user's own. */
  readonly id: string;
  readonly name: string;
  /** `code -g {file}:{line}` */
  readonly command: string;
}

/** Where the host looks for sources, and with what it opens them. */
export interface SourceSettings {
  readonly roots: readonly SourceRootEntry[];
  /** JDKs of the host's machine with sources: `JDK 17.0.9` and its folder. */
  readonly jdks: readonly { readonly name: string; readonly folder: string }[];
  readonly editors: readonly EditorEntry[];
  /** Id of the editor in use; undefined: there is none. */
  readonly editor: string | undefined;
  /**
   * The host has the system's dialogs: a folder or archive can be added, and a command for the editor is accepted when the
   * user confirms it there. Otherwise both are options of the command line, because whoever has the page's token must not
   * read any file of the machine or run any program.
   */
  readonly canChange: boolean;
}

/** A class whose source is wanted, as a profile names it. */
export interface ClassSource {
  /** With dots or slashes; nested classes with `$`. */
  readonly className: string;
  /** As the class file names it: `Shop.java`; empty if it is not recorded. */
  readonly file: string;
  /** A method of it, as in a class file, and lines at which samples were: they tell versions of a source apart. */
  readonly method?: string;
  readonly lines?: readonly number[];
  /** Version of the Java that ran it; the source of the same release is preferred. */
  readonly javaVersion?: string;
}

/** Limits of what a client sends with a class. */
export const MOST_SOURCE_LINES = 50;
export const MOST_METHOD_CHARACTERS = 500;
export const MOST_VERSION_CHARACTERS = 100;

/** Characters of a class and its file as JSON. A damaged log may have longer names; no file has one. */
const MOST_NAME_CHARACTERS = 2000;
/** Characters of all of it as JSON, where a control character is six: a host disconnects who sends a longer message. */
const MOST_CHARACTERS = 3500;

/** Whether a host accepts a message about this class. */
export function canAskFor(source: ClassSource): boolean {
  const { className, file, method = '', lines = [], javaVersion = '' } = source;
  return (
    className !== '' &&
    file.length <= 255 &&
    method.length <= MOST_METHOD_CHARACTERS &&
    lines.length <= MOST_SOURCE_LINES &&
    javaVersion.length <= MOST_VERSION_CHARACTERS &&
    JSON.stringify([className, file]).length <= MOST_NAME_CHARACTERS &&
    JSON.stringify(source).length <= MOST_CHARACTERS
  );
}

export type SourceAnswer =
  | {
      readonly kind: 'found';
      /** `Shop.java` */
      readonly name: string;
      /** Path of the file, or of its archive and entry, for the user. */
      readonly place: string;
      readonly text: string;
      /** Version of the JDK that it is from; undefined if it is from a folder or archive, or the JDK does not say it. */
      readonly jdk?: string | undefined;
      /** What the user should know about the file: a sentence each. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'missing';
      /** Names of files that were looked for. */
      readonly fileNames: readonly string[];
      /** Why a folder or archive could not be used: a sentence each. */
      readonly problems: readonly string[];
    };

/** The part of the messages of a host that is about sources. */
export type SourceHostMessage =
  /** After `hello`, and whenever they change. */
  | { readonly type: 'sources'; readonly settings: SourceSettings }
  /** The answer to the `findSource` with this number. */
  | { readonly type: 'source'; readonly request: number; readonly answer: SourceAnswer };

/** The part of the messages of a client that is about sources. */
export type SourceClientMessage =
  | ({ readonly type: 'findSource'; readonly request: number } & ClassSource)
  /** Open the file in the editor at this line. */
  | ({ readonly type: 'editSource'; readonly line: number } & ClassSource)
  /** Ask the user for a folder or an archive, and look in it from now on. */
  | { readonly type: 'addSource'; readonly kind: 'folder' | 'archive' }
  | { readonly type: 'removeSource'; readonly root: SourceRootId }
  /** Use one of the editors of the settings. */
  | { readonly type: 'chooseEditor'; readonly editor: string }
  /** Use this command, if the user confirms it in a dialog of the system. */
  | { readonly type: 'setEditor'; readonly command: string };
