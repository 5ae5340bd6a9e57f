import { costOf, parseSyntax } from './expression-syntax.ts';
import { LinearMatcher } from './linear-matcher.ts';

/** A regular expression that a user has typed. It is asked about many names at once. */
export interface Expression {
  /** The first matches in names[from …]: where each begins and where it ends, -1 and -1 for none. */
  readonly ranges: (names: readonly string[], from?: number) => Int32Array;
  /** The names that match. */
  readonly among: (names: readonly string[]) => ReadonlySet<string>;
}

/** A parsed expression, or why the text is none or could take for ever. */
export type ParsedExpression =
  | { readonly expression: Expression; readonly problem: undefined }
  | { readonly expression: undefined; readonly problem: string };

/** Most that the engine may have to try. It backtracks: more could take minutes on a name of a few hundred characters. */
const MOST_CHOICES = 1_024;
const MOST_DEGREE = 2;

/**
 * Parses a regular expression of JavaScript. If backtracking could try very many ways, as for `(a+)+b` or `.*x.*y.*z`, a
 * LinearMatcher finds it, which is slower but takes linear time. It has neither references to groups nor lookbehind: an
 * expression that needs both is a problem. `flags`: `u` or `iu`.
 */
export function parseExpression(text: string, flags: 'u' | 'iu'): ParsedExpression {
  let native: RegExp;
  try {
    native = new RegExp(text, flags);
  } catch (error) {
    return { expression: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
  const syntax = parseSyntax(text);
  if (syntax !== undefined) {
    const { choices, degree } = costOf(syntax);
    if (choices <= MOST_CHOICES && degree <= MOST_DEGREE)
      return { expression: asExpression((name) => findIn(native, name)), problem: undefined };
    const matcher = LinearMatcher.of(syntax, flags);
    if (matcher !== undefined)
      return { expression: asExpression((name) => matcher.find(name)), problem: undefined };
  }
  return {
    expression: undefined,
    problem: 'this expression could take for ever: use fewer repetitions in it',
  };
}

type Found = readonly [start: number, end: number] | undefined;

function asExpression(find: (name: string) => Found): Expression {
  const ranges = (names: readonly string[], from = 0): Int32Array => {
    const found = new Int32Array(2 * (names.length - from));
    for (let at = from; at < names.length; at++) {
      const [start, end] = find(names[at]) ?? [-1, -1];
      found[2 * (at - from)] = start;
      found[2 * (at - from) + 1] = end;
    }
    return found;
  };
  const among = (names: readonly string[]): ReadonlySet<string> => {
    const found = ranges(names);
    return new Set(names.filter((_, at) => found[2 * at] >= 0));
  };
  return { ranges, among };
}

function findIn(native: RegExp, name: string): Found {
  const found = native.exec(name);
  return found === null ? undefined : [found.index, found.index + found[0].length];
}
