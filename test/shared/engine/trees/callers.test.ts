import { expect, test } from 'vitest';
import { type MethodTreeOptions, methodTreeOf } from '../../../../shared/export/tree.ts';
import { formatTree } from '../../../support/format-tree.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const SHOP = `
  main       main       main       worker     worker
  Shop.run   Shop.run   Shop.load  Pool.run   Pool.run
  Map.put    Map.put    Map.put    Map.put    Map.get
  Map.hash              Map.hash
`;

const RECURSIVE = `
  main      main      main
  Fib.main  Fib.main  Fib.main
  Fib.fib   Fib.fib   Fib.add
  Fib.add   Fib.fib
  Fib.fib   Fib.fib
`;

function methodTreeLines(text: string, options: Partial<MethodTreeOptions>): string[] {
  const tree = methodTreeOf(profileFromText(text).profile, {
    direction: 'callers',
    method: 'Map.put',
    threads: 'name',
    frames: 'fqmn',
    recursion: 'once',
    ...options,
  });
  return tree === undefined ? [] : formatTree(tree);
}

test('callers carry what reaches the method through them, up to the threads', () => {
  expect(methodTreeLines(SHOP, {})).toEqual([
    '- Map.put 4 (self 2)',
    '  - Pool.run 1 (self 0)',
    '    - worker 1 (self 0)',
    '  - Shop.load 1 (self 0)',
    '    - main 1 (self 0)',
    '  - Shop.run 2 (self 0)',
    '    - main 2 (self 0)',
  ]);
  expect(methodTreeLines(SHOP, { method: 'Pool.run', threads: 'all' })).toEqual([
    '- Pool.run 2 (self 0)',
    '  - All Threads 2 (self 0)',
  ]);
});

test('callees carry what comes from the method', () => {
  expect(methodTreeLines(SHOP, { direction: 'callees' })).toEqual([
    '- Map.put 4 (self 2)',
    '  - Map.hash 2 (self 2)',
  ]);
});

test('of a method that calls itself the outermost occurrence counts', () => {
  expect(methodTreeLines(RECURSIVE, { method: 'Fib.fib' })).toEqual([
    '- Fib.fib 2 (self 0)',
    '  - Fib.main 2 (self 0)',
    '    - main 2 (self 0)',
  ]);
  expect(methodTreeLines(RECURSIVE, { method: 'Fib.fib', direction: 'callees' })).toEqual([
    '- Fib.fib 2 (self 0)',
    '  - Fib.add 1 (self 0)',
    '    - Fib.fib 1 (self 1)',
    '  - Fib.fib 1 (self 0)',
    '    - Fib.fib 1 (self 1)',
  ]);
});

test('or every occurrence', () => {
  expect(methodTreeLines(RECURSIVE, { method: 'Fib.fib', recursion: 'per-level' })).toEqual([
    '- Fib.fib 5 (self 2)',
    '  - Fib.add 1 (self 0)',
    '    - Fib.fib 1 (self 0)',
    '      - Fib.main 1 (self 0)',
    '        - main 1 (self 0)',
    '  - Fib.fib 2 (self 0)',
    '    - Fib.fib 1 (self 0)',
    '      - Fib.main 1 (self 0)',
    '        - main 1 (self 0)',
    '    - Fib.main 1 (self 0)',
    '      - main 1 (self 0)',
    '  - Fib.main 2 (self 0)',
    '    - main 2 (self 0)',
  ]);
  expect(
    methodTreeLines(RECURSIVE, { method: 'Fib.fib', direction: 'callees', recursion: 'per-level' }),
  ).toEqual([
    '- Fib.fib 5 (self 2)',
    '  - Fib.add 1 (self 0)',
    '    - Fib.fib 1 (self 1)',
    '  - Fib.fib 2 (self 1)',
    '    - Fib.fib 1 (self 1)',
  ]);
});

test('a key that no frame has is no method', () => {
  expect(methodTreeLines(SHOP, { method: 'Map.pu' })).toEqual([]);
});
