import { costOf, parseSyntax } from './expression-syntax.ts';
import { LinearMatcher } from './linear-matcher.ts';

/** A regular expression that takes bounded time on any text. */
export interface Expression {
  test(text: string): boolean;
  /** The first match as [start, end); undefined for none. */
  find(text: string): readonly [start: number, end: number] | undefined;
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
      return { expression: asExpression(native), problem: undefined };
    const expression = LinearMatcher.of(syntax, flags);
    if (expression !== undefined) return { expression, problem: undefined };
  }
  return {
    expression: undefined,
    problem: 'this expression could take for ever: use fewer repetitions in it',
  };
}

function asExpression(native: RegExp): Expression {
  return {
    test: (text) => native.test(text),
    find: (text) => {
      const found = native.exec(text);
      return found === null ? undefined : [found.index, found.index + found[0].length];
    },
  };
}
