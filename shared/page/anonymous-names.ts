import type { Renaming } from './profile-part.ts';

/** Names that every class may have. */
const KEPT_METHODS: readonly string[] = ['<init>', '<clinit>'];

/**
 * Replaces the names of all classes below a prefix, and of threads that begin with it, by numbered ones: the same name
 * always by the same one, and different names by different ones.
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
  const classOf = (name: string): string => {
    const [, plain, arrays] = /^(.*?)((?:\[\])*)$/s.exec(name) ?? ['', name, ''];
    const end = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('/'));
    return `anonymous.${packages.of(plain.slice(0, Math.max(end, 0)))}.${classes.of(plain)}${arrays}`;
  };
  const methodOf = (name: string): string =>
    name === '' || KEPT_METHODS.includes(name) ? name : methods.of(name);
  return {
    method(names) {
      const { className, methodName } = names;
      if (className === '') {
        // Some formats have the class in the name of the method.
        return isHidden(methodName) ? { file: '', className, methodName: methods.of(methodName) } : names;
      }
      if (!isHidden(className)) return names;
      return { file: '', className: classOf(className), methodName: methodOf(methodName) };
    },
    thread: (name) => (bare.some((prefix) => name.startsWith(prefix)) ? threads.of(name) : name),
  };
}

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
