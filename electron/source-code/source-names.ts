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

/** What to look for. */
export interface SourceNames {
  /** `java/util`; empty for a class without a package. */
  readonly packagePath: string;
  /** `java.util` */
  readonly packageName: string;
  /** `HashMap.java`: the recorded file, or what the class suggests, the likeliest first. Never empty. */
  readonly fileNames: readonly string[];
}

/**
 * What the source file of a class may be called. `className` as in a profile, with dots or slashes; `file` as the class
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
