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

/** Limits of what a client sends with a class. */
export const MOST_SOURCE_LINES = 50;
export const MOST_METHOD_CHARACTERS = 500;
export const MOST_VERSION_CHARACTERS = 100;

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
      /** Sentences about the file that the user should know. */
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
