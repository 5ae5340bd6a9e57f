/** A regular expression that a user has typed. It is asked about many names at once, because it may take for ever. */
interface Expression {
  /** The first matches in names[from …]: where each begins and where it ends, -1 and -1 for none. */
  readonly ranges: (names: readonly string[], from?: number) => Int32Array;
  /** The names that match. */
  readonly among: (names: readonly string[]) => ReadonlySet<string>;
}

/** A parsed expression, or why the text is none. */
export type ParsedExpression =
  | { readonly expression: Expression; readonly problem: undefined }
  | { readonly expression: undefined; readonly problem: string };

/** Expressions that took too long: none of them is tried again by itself. */
const stopped = new Set<string>();
let watch: (source: string | undefined) => void = () => undefined;

/** Adds expressions to those that took too long, and returns all of them. */
export function stopExpressions(sources: readonly string[]): readonly string[] {
  for (const source of sources) stopped.add(source);
  return [...stopped];
}

/** `watcher` hears of an expression before it is matched, and of none after that. It may have to end this thread. */
export function watchExpressions(watcher: (source: string | undefined) => void): void {
  watch = watcher;
}

/** An engine repeats the expression before the reason. */
const REPEATED = /^Invalid regular expression: \/.*\/[a-z]*: /s;

/** Parses a regular expression of JavaScript. `flags`: `u` or `iu`. */
export function parseExpression(text: string, flags: 'u' | 'iu'): ParsedExpression {
  if (stopped.has(text))
    return { expression: undefined, problem: 'This expression took too long. It was stopped.' };
  try {
    return { expression: expressionOf(new RegExp(text, flags)), problem: undefined };
  } catch (error) {
    const problem =
      error instanceof Error
        ? error.message.replace(REPEATED, 'Invalid regular expression: ')
        : String(error);
    return { expression: undefined, problem };
  }
}

function expressionOf(native: RegExp): Expression {
  const ranges = (names: readonly string[], from = 0): Int32Array => {
    const found = new Int32Array(2 * (names.length - from)).fill(-1);
    watch(native.source);
    try {
      for (let at = from; at < names.length; at++) {
        const match = native.exec(names[at]);
        if (match !== null) found.set([match.index, match.index + match[0].length], 2 * (at - from));
      }
    } finally {
      watch(undefined);
    }
    return found;
  };
  const among = (names: readonly string[]): ReadonlySet<string> => {
    const found = ranges(names);
    return new Set(names.filter((_, at) => found[2 * at] >= 0));
  };
  return { ranges, among };
}
