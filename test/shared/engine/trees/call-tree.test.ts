import { expect, test } from 'vitest';
import { LeanProfile } from '../../../../shared/profile/lean-profile.ts';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import { keptRows } from '../../../../shared/engine/views/filter.ts';
import { CallTree } from '../../../../shared/engine/trees/call-tree.ts';
import { RowSums } from '../../../../shared/engine/values/row-sums.ts';
import { formatTree } from '../../../support/format-tree.ts';
import { addSamples, profileFromText } from '../../../support/profile-from-text.ts';
import { testSeed } from '../../../support/test-seed.ts';

const { randomFor } = testSeed('call-tree');

const SHOP = `
  main         main         worker       worker             gc
  Shop.main    Shop.main    Pool.run     Pool.run           AGCT.GcActiveErr2
  Cart.add:12  Cart.add:14  Cart.add:12  java.util.Map.get
  Map.put      Map.put
`;

test('call nodes with equal keys under one parent are one row', () => {
  const { profile } = profileFromText(SHOP);
  expect(formatTree(callTreeOf(profile, { threads: 'name', frames: 'fqmn' }))).toEqual([
    '- gc 1 (self 0)',
    '  - AGCT.GcActiveErr2 1 (self 1)',
    '- main 2 (self 0)',
    '  - Shop.main 2 (self 0)',
    '    - Cart.add 2 (self 0)',
    '      - Map.put 2 (self 2)',
    '- worker 2 (self 0)',
    '  - Pool.run 2 (self 0)',
    '    - Cart.add 1 (self 1)',
    '    - java.util.Map.get 1 (self 1)',
  ]);
});

test('by line, two calls from different lines are two rows; threads all together are one root', () => {
  const { profile } = profileFromText(SHOP);
  expect(formatTree(callTreeOf(profile, { threads: 'all', frames: 'line' }))).toEqual([
    '- All Threads 5 (self 0)',
    '  - AGCT.GcActiveErr2:-100 1 (self 1)',
    '  - Pool.run:-100 2 (self 0)',
    '    - Cart.add:12 1 (self 1)',
    '    - java.util.Map.get:-100 1 (self 1)',
    '  - Shop.main:-100 2 (self 0)',
    '    - Cart.add:12 1 (self 0)',
    '      - Map.put:-100 1 (self 1)',
    '    - Cart.add:14 1 (self 0)',
    '      - Map.put:-100 1 (self 1)',
  ]);
});

test('each call node has the row of its path, however the profile grows', () => {
  for (let scenario = 0; scenario < 50; scenario++) {
    const random = randomFor(scenario);
    const profile = new LeanProfile();
    for (let method = 0; method < 3; method++) {
      profile.methods.append(0, method);
      profile.frames.append(method, method, 0);
    }
    const { nodes, threads } = profile;
    const paths: string[] = [];
    const tree = new CallTree(profile, { threads: 'all', frames: 'method-id' });
    const rowOfPath = new Map<string, number>();
    for (let growth = 0; growth < 6; growth++) {
      for (let added = random.below(40); added > 0; added--) {
        const at = paths.length;
        // Mostly the rest of a new stack, as in a log.
        const up = random.next() < 0.7 ? at - 1 : random.below(at);
        const frame = random.below(3);
        if (at === 0 || random.next() < 0.1) profile.appendRoot(threads.append(0, at));
        else nodes.append(up, frame);
        paths.push(nodes.isRoot(at) ? '' : `${paths[up]}/${frame}`);
      }
      if (random.next() < 0.5 && paths.length > 0)
        tree.prefetch({ frames: 3, nodes: paths.length, selfValues: 0 }, random.below(40));
      tree.update();
      const asked = Int32Array.from({ length: paths.length }, () => random.below(paths.length));
      const rows = new Int32Array(paths.length);
      tree.rowsOfNodes(asked, asked.length, rows);
      for (const [node, path] of paths.entries()) {
        const row = tree.rowOf(node);
        if (!rowOfPath.has(path)) rowOfPath.set(path, row);
        expect(row, `scenario ${scenario}, call node ${node}`).toBe(rowOfPath.get(path));
      }
      expect([...rows]).toEqual(Array.from(asked, (node) => rowOfPath.get(paths[node])));
    }
    expect(new Set(rowOfPath.values()).size).toBe(rowOfPath.size);
    expect(tree.length).toBe(rowOfPath.size);
  }
});

test('what is added later joins the rows that are there, which keep their numbers', () => {
  const aggregator = profileFromText(SHOP);
  const sums = callTreeOf(aggregator.profile, { threads: 'name', frames: 'fqmn' });
  const { tree } = sums;
  const before = Array.from({ length: tree.length }, (_, row) => tree.label(row));
  addSamples(
    aggregator,
    `
    main       idle
    Shop.main  Pool.wait
    Shop.pay
    `,
  );
  expect(tree.update()).toBe('grown');
  sums.update();
  expect(Array.from(before, (_, row) => tree.label(row))).toEqual(before);
  expect(formatTree(sums)).toContain('    - Shop.pay 1 (self 1)');
  expect(formatTree(sums)).toEqual(formatTree(callTreeOf(aggregator.profile, tree.grouping)));
});

test('a name that comes late regroups the rows; the nodes that rows stand for stay what they are', () => {
  const aggregator = profileFromText(`
    main       main       main
    Shop.main  Shop.main  Shop.main
    ?7         ?8         Cart.add
  `);
  const tree = new CallTree(aggregator.profile, { threads: 'name', frames: 'fqmn' });
  tree.update();
  const sums = new RowSums(tree, aggregator.profile.selfValues);
  sums.update();
  expect(formatTree(sums)).toEqual([
    '- main 3 (self 0)',
    '  - Shop.main 3 (self 0)',
    '    - <UNIDENTIFIED : Method Id = 7> 1 (self 1)',
    '    - <UNIDENTIFIED : Method Id = 8> 1 (self 1)',
    '    - Cart.add 1 (self 1)',
  ]);
  const nodeOfSeven = tree.idOf(tree.length - 3);
  const names = { file: '', className: 'Cart', methodName: 'add' };
  aggregator.defineMethod(aggregator.method(0, 7), names);
  aggregator.defineMethod(aggregator.method(0, 8), names);
  expect(tree.update()).toBe('renumbered');
  sums.update();
  expect(formatTree(sums)).toEqual([
    '- main 3 (self 0)',
    '  - Shop.main 3 (self 0)',
    '    - Cart.add 3 (self 3)',
  ]);
  expect(tree.idOf(tree.rowOf(nodeOfSeven))).toBe(nodeOfSeven);
});

test('a filter keeps rows that pass and what leads to them, with the values they have', () => {
  const { profile } = profileFromText(SHOP);
  const sums = callTreeOf(profile, { threads: 'name', frames: 'fqmn' });
  expect(formatTree(sums, keptRows(sums, { hideErrors: false, contains: ['Map', 'util'] }))).toEqual([
    '- worker 2 (self 0)',
    '  - Pool.run 2 (self 0)',
    '    - java.util.Map.get 1 (self 1)',
  ]);
  expect(formatTree(sums, keptRows(sums, { hideErrors: true, contains: [] }))).not.toContain(
    '  - AGCT.GcActiveErr2 1 (self 1)',
  );
});
