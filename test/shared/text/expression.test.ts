import { expect, test } from 'vitest';
import { parseExpression } from '../../../shared/text/expression.ts';
import { costOf, type ExpressionNode, parseSyntax } from '../../../shared/text/expression-syntax.ts';
import { LinearMatcher } from '../../../shared/text/linear-matcher.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const costText = (source: string): string => {
  const syntax = parseSyntax(source);
  if (syntax === undefined) return 'unknown';
  const { choices, degree } = costOf(syntax);
  return `${choices} n^${degree}`;
};

test.each([
  ['abc', '1 n^1'],
  ['^abc', '1 n^0'],
  ['Foo.*Bar', '1 n^2'],
  ['^(?:a|bc?)$', '3 n^0'],
  ['(a|b)(c|d)?', '8 n^1'],
  ['(?:ab)+', '1 n^2'],
  ['(a|a)*b', '2 n^Infinity'],
  ['(?:(a+)\\b)+', '1 n^Infinity'],
  ['(a?){30}', `${2 ** 30} n^1`],
  ['(a*){20}', '1 n^21'],
  ['.*.*.*=', '1 n^4'],
  ['^(?!(?:main|http-[0-9]+-exec-[0-9]+)$)', '2 n^2'],
  ['(a)\\1', '1 n^2'],
  ['[(+)]\\(\\p{Lu}\\u{1f600}', '1 n^1'],
  ['(?i:a)', 'unknown'],
])('%s takes %s', (source, cost) => {
  expect(costText(source)).toBe(cost);
});

test('what a backtracking engine would never finish is found or not, at once', () => {
  const name = 'java.util.regex.Pattern$GroupTail.match'.repeat(20);
  for (const source of [
    '(a+)+!',
    '(.|a|[a-z])*!',
    '(\\w+\\.?)+!',
    '(a?){200}a{200}!',
    '.*.*.*.*.*.*.*.*!',
    '^(?!(?:.*.*.*.*.*=|(a|a)*!)$)x',
  ]) {
    const { expression } = parseExpression(source, 'iu');
    expect([
      source,
      ...[name, `x${'a'.repeat(400)}!`].map((text) => expression?.among([text]).has(text)),
    ]).toEqual([source, false, true]);
  }
  expect(parseExpression('(\\w+\\.)+match', 'u').expression?.ranges([name])).toEqual(Int32Array.of(24, 39));
});

test('what only a backtracking engine can do, and could do for ever, is a problem', () => {
  for (const source of ['(a+)+\\1', '(?<=(a|b)+).*x', `${'(?:'.repeat(60)}(a+)+${')'.repeat(60)}`])
    expect(parseExpression(source, 'u').problem).toMatch(/could take for ever/);
  expect(parseExpression('((a|b){900}){900}', 'u').problem).toMatch(/could take for ever/);
  expect(parseExpression('(', 'u').problem).toMatch(/Unterminated group/);
  expect(parseExpression('(?<name>a)\\k<name>', 'u').expression?.ranges(['baa'])).toEqual(
    Int32Array.of(1, 3),
  );
});

test('what is looked ahead for counts: no short expression has a program of millions of instructions', () => {
  const within = (times: number): string => `(?:(?=(?:a?){${times}}b)a?){${times}}.*x.*y.*z`;
  expect(parseExpression(within(5_000), 'u').problem).toMatch(/could take for ever/);
  expect(parseExpression(within(8), 'u').expression?.ranges(['ab-x-y-z'])[0]).toBe(0);
  // Short ones that look ahead are as many as before.
  const shop = parseExpression('^(?!.*(?:Test|Mock)).*Shop.*sell.*Item', 'u').expression;
  expect(
    ['demo.Shop.sellItem', 'demo.ShopTest.sellItem'].map((name) => shop?.among([name]).has(name)),
  ).toEqual([true, false]);
});

/** A random expression over a few characters. */
function randomExpression(random: SeededRandom, depth: number): string {
  const pick = (texts: readonly string[]): string => texts[random.below(texts.length)];
  const part = (): string => {
    const inner = depth === 0 ? 0 : random.below(4);
    let text = pick(['a', 'b', '.', '[ab]', '[^a]', '\\w', 'é', '$', '^', '\\b', '\\B']);
    if (inner === 1) text = `(${randomExpression(random, depth - 1)})`;
    else if (inner === 2)
      text = `(?:${randomExpression(random, depth - 1)}|${randomExpression(random, depth - 1)})`;
    else if (inner === 3 && random.below(4) === 0)
      return `(?${pick(['=', '!'])}${randomExpression(random, 0)})`;
    const isPlace = /^(?:\^|\$|\\b|\\B)$/i.test(text) && !text.startsWith('[');
    return isPlace
      ? text
      : text + pick(['', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??', '{0,2}?']);
  };
  return Array.from({ length: 1 + random.below(3) }, part).join('');
}

test('a character beyond the basic plane is one', () => {
  const { expression } = parseExpression('(?:.|x)*?([^a]|😀)+(?:b|\\u{62})*c', 'u');
  expect(expression?.ranges(['😀😀bc'])).toEqual(Int32Array.of(0, 6));
});

/**
 * Most characters of a text for the engine of JavaScript. Where repetitions are nested without a limit, it takes seconds
 * for one expression in 40 000 to find out that seven characters do not match, and has taken 18 s.
 */
const mostCharacters = (syntax: ExpressionNode): number => (Number.isFinite(costOf(syntax).degree) ? 7 : 4);

test('the linear engine finds what the engine of JavaScript finds', () => {
  const { randomFor } = testSeed('linear expressions');
  let found = 0;
  const turns = testSize(2_500, 50_000);
  for (let turn = 0; turn < turns; turn++) {
    const random = randomFor(turn);
    const source = randomExpression(random, 2);
    const flags = random.below(2) === 0 ? 'u' : 'iu';
    const syntax = parseSyntax(source);
    const matcher = syntax === undefined ? undefined : LinearMatcher.of(syntax, flags);
    // A look within a look is not compiled.
    if (syntax === undefined || matcher === undefined) continue;
    const native = new RegExp(source, flags);
    const most = mostCharacters(syntax);
    for (let at = 0; at < 5; at++) {
      const text = Array.from({ length: random.below(most + 1) }, () =>
        random.pick(['a', 'b', 'A', 'é', ' ']),
      ).join('');
      const match = native.exec(text);
      const whole = match === null ? undefined : [match.index, match.index + match[0].length];
      // A part that may be empty and is repeated may end the match elsewhere.
      const end = /\)[*+?{]/.test(source) ? 1 : 2;
      const result = matcher.find(text)?.slice(0, end);
      expect([source, flags, text, result]).toEqual([source, flags, text, whole?.slice(0, end)]);
      if (match !== null) found++;
    }
  }
  expect(found).toBeGreaterThan(0.4 * turns);
});
