import { majorVersion } from '../../shared/text/java-version.ts';
import { ArchiveRoot } from './archive-root.ts';
import { fittingLines } from './fitting-lines.ts';
import { type Jdk, newestFirst } from './jdks.ts';
import { type SourceFile, SourceRefusal, sourceText } from './source-file.ts';
import { sourceNames } from './source-names.ts';
import type { FoundSource, SourceRoot } from './source-root.ts';
import { AnsweringRoot, UserRoot } from './user-root.ts';

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

export type FoundClass =
  | {
      readonly kind: 'found';
      readonly file: SourceFile;
      /** Further files of this name and package. */
      readonly others: number;
      /** The JDK that it is from; undefined if it is from a folder or an archive of the user. */
      readonly jdk: Jdk | undefined;
      /** Of a JDK: most of the recorded lines are not in the method here. */
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

/** How many of the recorded lines fit the source; 0 if it cannot be read. */
async function fitOf(file: SourceFile, { className, method, lines }: WantedClass): Promise<number> {
  if (method === undefined || lines === undefined || lines.length === 0) return 0;
  const text = await file.read().then(sourceText, () => '');
  return fittingLines(text, { className, method, lines });
}
