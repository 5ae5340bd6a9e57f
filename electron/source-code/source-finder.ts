import { majorVersion } from '../../shared/text/java-version.ts';
import { AnsweringRoot, ArchiveRoot, type FoundSource, type SourceRoot, UserRoot } from './source-roots.ts';
import { type Jdk, newestFirst } from './jdks.ts';
import { type SourceFile, SourceRefusal, sourceText } from './source-file.ts';
import { sourceNames } from './source-names.ts';

/** A class whose source is wanted. */
export interface WantedClass {
  /** As in a profile. */
  readonly className: string;
  /** As the class file names it; empty if it is not recorded. */
  readonly file: string;
  /** A method of it, and lines at which samples were. */
  readonly method?: string;
  readonly lines?: readonly number[];
  /** Version of the Java that ran it. */
  readonly javaVersion?: string;
}

type FoundClass =
  | {
      readonly kind: 'found';
      readonly file: SourceFile;
      /** Further files of this name and package. */
      readonly others: number;
      /** The JDK that it is from; undefined if it is from a folder or an archive of the user. */
      readonly jdk: Jdk | undefined;
      /** Most of the recorded lines are not in the method in this JDK. */
      readonly isUnfit: boolean;
    }
  | {
      readonly kind: 'missing';
      /** Names that were looked for; none if the class has no name that a file can have. */
      readonly fileNames: readonly string[];
      /** Folders and archives that could not be used: a sentence each. */
      readonly problems: readonly string[];
    };

/** JDKs whose sources are compared with the recorded lines. */
const MOST_TRIED = 8;

/** Finds the source files of classes in folders, in archives and in the sources of the JDK, in this order. */
export class SourceFinder {
  readonly #findJdks: () => Promise<readonly Jdk[]>;
  readonly #openRoot: (path: string) => SourceRoot;
  #roots: readonly SourceRoot[] = [];
  #jdks: Promise<readonly Jdk[]> | undefined;
  readonly #archives = new Map<string, ArchiveRoot>();

  /** `openRoot`: the folder or archive at a path. */
  constructor(
    findJdks: () => Promise<readonly Jdk[]>,
    openRoot: (path: string) => SourceRoot = (path) => new AnsweringRoot(new UserRoot(path)),
  ) {
    this.#findJdks = findJdks;
    this.#openRoot = openRoot;
  }

  /** Looks in these folders and archives from now on. What is known of one that stays is kept. */
  use(paths: readonly string[]): void {
    const known = new Map(this.#roots.map((root) => [root.path, root]));
    this.#roots = paths.map((path) => known.get(path) ?? this.#openRoot(path));
  }

  /** The JDKs of this machine with sources; looked for once. */
  jdks(): Promise<readonly Jdk[]> {
    this.#jdks ??= this.#findJdks();
    return this.#jdks;
  }

  async find(wanted: WantedClass): Promise<FoundClass> {
    const names = sourceNames(wanted.className, wanted.file);
    if (names === undefined) return { kind: 'missing', fileNames: [], problems: [] };
    const problems: string[] = [];
    const findIn = async (root: SourceRoot): ReturnType<SourceRoot['find']> => {
      try {
        return await root.find(names);
      } catch (error) {
        problems.push(error instanceof SourceRefusal ? error.message : `${root.path} cannot be read.`);
        return undefined;
      }
    };
    for (const root of this.#roots) {
      const found = await findIn(root);
      if (found !== undefined) return { kind: 'found', ...found, jdk: undefined, isUnfit: false };
    }
    const jdks =
      names.packagePath === '' ? [] : sameReleaseFirst(await this.jdks(), wanted).slice(0, MOST_TRIED);
    let best: { readonly found: FoundSource; readonly jdk: Jdk; readonly fit: number } | undefined;
    for (const jdk of jdks) {
      // Lines of another release may fit by chance.
      if (best !== undefined && isSameRelease(best.jdk, wanted) && !isSameRelease(jdk, wanted)) break;
      const found = await findIn(this.#archive(jdk.sources));
      if (found === undefined) continue;
      const fit = await fitOf(found.file, wanted);
      if (best === undefined || fit > best.fit) best = { found, jdk, fit };
      if (fit > 0 && fit === wanted.lines?.length) break;
    }
    if (best === undefined) return { kind: 'missing', fileNames: names.fileNames, problems };
    const isUnfit = 2 * best.fit < (wanted.lines?.length ?? 0);
    return { kind: 'found', ...best.found, jdk: best.jdk, isUnfit };
  }

  #archive(path: string): ArchiveRoot {
    const archive = this.#archives.get(path) ?? new ArchiveRoot(path);
    this.#archives.set(path, archive);
    return archive;
  }
}

/** The newest JDK of the release that ran the program, then the others, each newest first. */
function sameReleaseFirst(jdks: readonly Jdk[], wanted: WantedClass): readonly Jdk[] {
  const sorted = newestFirst(jdks);
  return [
    ...sorted.filter((jdk) => isSameRelease(jdk, wanted)),
    ...sorted.filter((jdk) => !isSameRelease(jdk, wanted)),
  ];
}

function isSameRelease({ version }: Jdk, { javaVersion }: WantedClass): boolean {
  const release = javaVersion === undefined ? undefined : majorVersion(javaVersion);
  return release !== undefined && majorVersion(version) === release;
}

/** The number of recorded lines that fit the source; 0 if it cannot be read. */
async function fitOf(file: SourceFile, { className, method, lines }: WantedClass): Promise<number> {
  if (method === undefined || lines === undefined || lines.length === 0) return 0;
  const text = await file.read().then(sourceText, () => '');
  return fittingLines(text, { className, method, lines });
}

/** Words before a parenthesis that are no declaration: `return m(`, `new Shop(`. */
const NOT_DECLARED =
  /\b(?:return|new|throw|else|assert|case|yield|await)\s+[\w$.<>]+\s*\(|[=.(]\s*[\w$]+\s*\(/;
/** `  public V put(K key, V value) {`, `    HashMap(int initialCapacity) {`: the name before the parenthesis. */
const DECLARATION =
  /^\s*(?:@[\w$.]+(?:\([^)]*\))?\s+)*(?:[\w$<>[\],.?&]+\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*$/u;
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'synchronized', 'try', 'super', 'this']);
/** Lines above a line in which the declaration of its method is looked for. */
const MOST_ABOVE = 400;

/**
 * The number of these lines that are in a method of this name in a Java source: the sources of another version have the
 * method elsewhere. It goes by the nearest declaration above each line, and does not parse. `method`: as in a class file.
 */
function fittingLines(
  text: string,
  { className, method, lines }: { className: string; method: string; lines: readonly number[] },
): number {
  const source = text.split(/\r\n|\n|\r/);
  const names = declaredNames(className, method);
  return lines.filter((line) => {
    if (line > source.length || /^\s*(?:\*|\/[/*]|$)/.test(source[line - 1])) return false;
    for (let at = line - 1; at >= Math.max(0, line - 1 - MOST_ABOVE); at--) {
      const declared = NOT_DECLARED.test(source[at]) ? undefined : DECLARATION.exec(source[at])?.[1];
      if (declared !== undefined && !CONTROL.has(declared)) return names.has(declared);
    }
    return false;
  }).length;
}

/** `parse` for `parse` and `lambda$parse$0`, the simple name of the class for a constructor. */
function declaredNames(className: string, method: string): ReadonlySet<string> {
  const simple = className.split(/[./$]/).filter((part) => /^\D/.test(part));
  if (method === '<init>') return new Set(simple.slice(-1));
  return new Set([/^lambda\$(.+)\$\d+$/.exec(method)?.[1] ?? method]);
}
