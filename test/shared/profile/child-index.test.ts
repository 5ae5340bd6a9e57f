import { expect, test } from 'vitest';
import { ChildIndex } from '../../../shared/profile/child-index.ts';
import { NodeTable } from '../../../shared/profile/node-table.ts';

test('children are found after the table of nodes has grown by itself, and the index later', () => {
  const nodes = new NodeTable(2);
  const index = new ChildIndex(nodes);
  const add = (parent: number, frame: number): number => {
    const child = nodes.append(parent, frame);
    index.add(parent, child);
    return child;
  };
  const root = nodes.append(-1, ~0);
  const last = add(add(add(root, 1), 2), 3);
  const children = Array.from({ length: 200 }, (_, frame) => add(last, frame));
  index.reserve(10_000);
  expect(children.map((_, frame) => index.find(last, frame))).toEqual(children);
});
