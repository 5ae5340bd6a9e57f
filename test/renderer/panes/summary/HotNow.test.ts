import { expect, test } from 'vitest';
import { hottestNow } from '../../../../renderer/panes/summary/HotNow.tsx';

test('the methods with most samples of their own come first, five of them, equal ones by total and name', () => {
  const counts = [
    ['only.called', 0, 90],
    ['b.equal', 3, 3],
    ['a.equal', 3, 3],
    ['more.called', 3, 5],
    ['hot', 9, 9],
    ['least', 1, 1],
    ['left.out', 0.5, 1],
  ] as const;
  const methods = counts.map(([label, self, total], id) => ({
    id,
    label,
    kind: 'frame' as const,
    self,
    total,
  }));
  const names = hottestNow({ seconds: 9, samples: 100, methods }).map(({ label }) => label);
  expect(names).toEqual(['hot', 'more.called', 'a.equal', 'b.equal', 'least']);
  expect(hottestNow(undefined)).toEqual([]);
});
