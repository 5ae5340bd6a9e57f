import type { Renaming } from './profile-part.ts';

/** Names that every class may have. */
const KEPT_METHODS: readonly string[] = ['<init>', '<clinit>'];

/**
 * Replaces the names of all classes below a prefix, wherever they are in a name, and of threads that have one in theirs, by
 * numbered ones: the same name always by the same one, and different names by different ones.
 *
 *   com.acme.shop.Ranking.top   becomes   anonymous.p1.C1.m1
 *   com.acme.shop.Cart.add                anonymous.p1.C2.m2
 */
export function anonymousNames(prefixes: readonly string[]): Renaming {
  const packages = new Numbered('p');
  const classes = new Numbered('C');
  const methods = new Numbered('m');
  const threads = new Numbered('thread-');
  const bare = prefixes.map((prefix) => prefix.replace(/[./]+$/, ''));
  const isHidden = (name: string): boolean => {
    const dotted = name.replaceAll('/', '.');
    return bare.some((prefix) => dotted === prefix || dotted.startsWith(`${prefix}.`));
  };
  const anywhere = bare.map((prefix) => prefix.split(/[./]/).map(escaped).join('[./]')).join('|');
  /** A class, or what it has, within a longer text. */
  const within = new RegExp(
    String.raw`(?<=(?:^|[^${WORD}])L?)(?:${anywhere})(?:[./$][${WORD}./]*)?(?![${WORD}])`,
    'gu',
  );
  const classOf = (name: string): string => {
    const [, plain, arrays] = /^(.*?)((?:\[\])*)$/s.exec(name) ?? ['', name, ''];
    const end = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('/'));
    return `anonymous.${packages.of(plain.slice(0, Math.max(end, 0)))}.${classes.of(plain)}${arrays}`;
  };
  const methodOf = (name: string): string =>
    name === '' || KEPT_METHODS.includes(name) ? name : methods.of(name);
  const text = (name: string): string => name.replace(within, classOf);
  return {
    text,
    method(names) {
      const { className, methodName, file } = names;
      if (className !== '' && isHidden(className))
        return { file: '', className: classOf(className), methodName: methodOf(methodName) };
      // Some formats have the class in the name of the method.
      if (className === '' && isHidden(methodName))
        return { file: '', className, methodName: methods.of(methodName) };
      const renamed = { file: text(file), className: text(className), methodName: text(methodName) };
      return renamed.className === className && renamed.methodName === methodName && renamed.file === file
        ? names
        : renamed;
    },
    thread: (name) =>
      bare.some((prefix) => name.startsWith(prefix)) || text(name) !== name ? threads.of(name) : name,
  };
}

/** Characters of names, and `L` stands before that of a class in descriptors. */
const WORD = String.raw`\p{L}\p{N}_$`;

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Names in the order of their first use. */
class Numbered {
  readonly #prefix: string;
  readonly #numbers = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(name: string): string {
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return `${this.#prefix}${number}`;
  }
}
