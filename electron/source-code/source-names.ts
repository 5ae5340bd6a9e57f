/** Extensions of files whose text is shown. A page can have no other files read. */
const EXTENSIONS: readonly string[] = ['java', 'kt', 'kts', 'scala', 'sc', 'groovy', 'clj', 'cljc', 'aj'];
/** Tried for a class whose file is not recorded. */
const GUESSED_EXTENSIONS: readonly string[] = ['java', 'kt', 'scala', 'groovy'];
/** In place of a file that is not known. */
const NO_FILES: readonly string[] = ['', 'UnknownFile', 'Unknown Source', 'Unknown', '<unknown>'];

const LONGEST_NAME = 255;
const MOST_PARTS = 64;
/** Hidden classes end with an address or a number: Foo$$Lambda/0x00080c03000, Foo$$Lambda$83+0x00007f4a04007c10.1043351526. */
const HIDDEN_CLASS_ADDRESS = /(?:[.+/]0x[0-9a-f]+)?(?:[./]\d+)?$/i;
/** No separator of any system, no drive, nothing invisible. */
const PART = /^[^\p{C}/\\:*?"<>|]+$/u;

/** The names by which a source file is searched. */
export interface SourceNames {
  /** `java/util`; empty for a class without a package. */
  readonly packagePath: string;
  /** `java.util` */
  readonly packageName: string;
  /** `HashMap.java`: the recorded file, or what the class suggests, the likeliest first. Never empty. */
  readonly fileNames: readonly string[];
}

/**
 * The names that the source file of a class may have. `className` as in a profile, with dots or slashes; `file` as the class
 * file names it, or empty. Undefined if no file may be looked for: a name with parts such as `..`, with separators in
 * the file's name, or of another kind of file.
 *
 *   java.util.HashMap$Node             java/util   HashMap.java HashMap.kt …
 *   com.acme.ShopKt        Shop.kt     com/acme    Shop.kt
 */
export function sourceNames(className: string, file: string): SourceNames | undefined {
  const parts = className.replace(HIDDEN_CLASS_ADDRESS, '').split(/[./]/);
  const simple = parts.pop() ?? '';
  if (parts.length > MOST_PARTS || ![simple, ...parts].every(isPart)) return undefined;
  const fileNames = NO_FILES.includes(file) ? guessedFiles(simple) : [file];
  if (!fileNames.every(isSourceFile)) return undefined;
  return { packagePath: parts.join('/'), packageName: parts.join('.'), fileNames };
}

/** By the outermost class. A class of Kotlin for functions outside of classes ends with `Kt`. */
function guessedFiles(simpleName: string): readonly string[] {
  const end = simpleName.indexOf('$', 1);
  const outer = end < 0 ? simpleName : simpleName.slice(0, end);
  const guessed = GUESSED_EXTENSIONS.map((extension) => `${outer}.${extension}`);
  return outer.length > 2 && outer.endsWith('Kt') ? [...guessed, `${outer.slice(0, -2)}.kt`] : guessed;
}

function isPart(text: string): boolean {
  return text.length <= LONGEST_NAME && PART.test(text) && text.trim() === text;
}

export function isSourceFile(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && !name.startsWith('.') && isPart(name) && EXTENSIONS.includes(name.slice(dot + 1));
}

/** The source files of a folder or an archive by their names, so that one is found wherever its package begins. */
export class SourceIndex {
  /** Name of a file -> the folders in which there is one, with `/` between their names. */
  readonly #folders = new Map<string, string[]>();

  /** Other files than sources are ignored. */
  add(path: string): void {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (!isSourceFile(name)) return;
    const folders = this.#folders.get(name);
    const folder = path.slice(0, Math.max(0, slash));
    if (folders === undefined) this.#folders.set(name, [folder]);
    else folders.push(folder);
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
