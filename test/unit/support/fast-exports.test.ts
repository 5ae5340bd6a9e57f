import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import * as columns from '../../../shared/profile/columns.ts';
import * as views from '../../../shared/views/flame-columns.ts';

test('V8 knows where the exports of a module are, and looks none of them up in a table', () => {
  setFlagsFromString('--allow-natives-syntax');
  const isFast = runInThisContext('(value) => %HasFastProperties(value)') as (value: object) => boolean;
  // A function is parsed when it is called first.
  expect(isFast(Object.create(null) as object)).toBe(false);
  setFlagsFromString('--no-allow-natives-syntax');
  expect([columns, views].map(isFast)).toEqual([true, true]);
});
