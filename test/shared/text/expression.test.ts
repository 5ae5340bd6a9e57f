import { afterEach, expect, test } from 'vitest';
import { parseExpression, stopExpressions, watchExpressions } from '../../../shared/text/expression.ts';

afterEach(() => watchExpressions(() => undefined));

test('an expression of JavaScript says which names match, and where', () => {
  const { expression } = parseExpression('(?<name>a+)\\k<name>|(?<=x)é', 'iu');
  const names = ['baaa', 'none', 'xÉ'];
  expect(expression?.ranges(names)).toEqual(Int32Array.of(1, 3, -1, -1, 1, 2));
  expect(expression?.ranges(names, 2)).toEqual(Int32Array.of(1, 2));
  expect(expression?.among(names)).toEqual(new Set(['baaa', 'xÉ']));
});

test('the reason why a text is no expression does not repeat it', () => {
  expect(parseExpression('(/u: (', 'u').problem).toBe('Invalid regular expression: Unterminated group');
  expect(parseExpression('[b-a]', 'u').problem).toBe(
    'Invalid regular expression: Range out of order in character class',
  );
});

test('an expression is announced before it is matched; one that was stopped is not tried again', () => {
  const heard: (string | undefined)[] = [];
  const { expression } = parseExpression('(a+)+$', 'u');
  watchExpressions((source) => heard.push(source));
  expression?.ranges(['a', 'b']);
  expression?.among(['a', 'b']);
  expect(heard).toEqual(['(a+)+$', undefined, '(a+)+$', undefined]);
  stopExpressions(['(a+)+$']);
  expect(parseExpression('(a+)+$', 'iu').problem).toBe('This expression took too long. It was stopped.');
  expect(parseExpression('(a+)+', 'u').problem).toBe(undefined);
});
