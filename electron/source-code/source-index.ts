import { isSourceFile, type SourceNames } from './source-names.ts';

/** The source files of a folder or an archive by their names, so that one is found wherever its package begins. */
export class SourceIndex {
  /** Name of a file -> the folders in which there is one, with `/` between their names. */
  readonly #folders = new Map<string, string[]>();
  #length = 0;

  /** Number of files. */
  get length(): number {
    return this.#length;
  }

  /** Other files than sources are ignored. */
  add(path: string): void {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (!isSourceFile(name)) return;
    const folders = this.#folders.get(name);
    const folder = path.slice(0, Math.max(0, slash));
    if (folders === undefined) this.#folders.set(name, [folder]);
    else folders.push(folder);
    this.#length++;
  }

  /** Files in a folder of the package, the shortest path first: `src/main/java` may precede it, or a module. */
  inPackage({ packagePath, fileNames }: SourceNames): readonly string[] {
    const isOfPackage = (folder: string): boolean =>
      packagePath === '' ? folder === '' : folder === packagePath || folder.endsWith(`/${packagePath}`);
    return this.#paths(fileNames, isOfPackage);
  }

  /** Files of these names anywhere: Kotlin needs no folder per package, and a class without package has none. */
  named({ fileNames }: SourceNames): readonly string[] {
    return this.#paths(fileNames, () => true);
  }

  #paths(fileNames: readonly string[], accepts: (folder: string) => boolean): readonly string[] {
    for (const name of fileNames) {
      const folders = (this.#folders.get(name) ?? []).filter(accepts);
      if (folders.length > 0) return folders.map((each) => joined(each, name)).sort(compareLengths);
    }
    return [];
  }
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function compareLengths(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** The declaration follows a licence and, in Kotlin, annotations. */
const DECLARATION_WITHIN = 16_384;

/** The package that a source file of Java, Kotlin, Scala or Groovy declares; empty if it declares none. */
export function declaredPackage(text: string): string {
  const code = text.slice(0, DECLARATION_WITHIN).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  return /^[ \t]*package\s+([\w.`$]+)/m.exec(code)?.[1].replaceAll('`', '') ?? '';
}
