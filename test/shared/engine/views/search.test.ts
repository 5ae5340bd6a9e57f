import { expect, test } from 'vitest';
import { callTreeOf } from '../../../../shared/export/tree.ts';
import type { NodeTable } from '../../../../shared/profile/node-table.ts';
import { KeyTable } from '../../../../shared/engine/trees/keys.ts';
import { extentOf } from '../../../../shared/engine/trees/row-tree.ts';
import {
  isSearching,
  parseSearch,
  type ValidSearch,
  SearchMatches,
} from '../../../../shared/engine/views/search.ts';
import { FollowedLog } from '../../../support/followed-log.ts';
import { frame, log, method, trace } from '../../../support/log-bytes.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const finds = (text: string, label: string): boolean | string => {
  const search = parseSearch(text);
  return search.problem ?? search.ranges([label])[0] >= 0;
};

test('a text is contained, whatever its case; nothing finds nothing', () => {
  expect(finds('hashset', 'java.util.regex.IntHashSet.contains')).toBe(true);
  expect(finds('Hash.*', 'java.util.HashMap.get')).toBe(false);
  expect(finds('', 'java.util.HashMap.get')).toBe(false);
  expect(finds('//', 'java.util.HashMap.get')).toBe(false);
});

test('between slashes stands a regular expression', () => {
  expect(finds('/hash(map|set)\\.get$/', 'java.util.HashMap.get')).toBe(true);
  expect(finds('/^get/', 'java.util.HashMap.get')).toBe(false);
  expect(finds('/(Foo|Bar)+\\.[a-z]*/', 'acme.FooBar.run')).toBe(true);
  expect(finds('/[(+*]+x{2}(?:ab{1,3})+/', '(xxab')).toBe(true);
  expect(finds('/[/', 'x')).toBe('Invalid regular expression: Unterminated character class');
});

/** The label with its match in brackets. */
function marked(text: string, label: string): string {
  const search = parseSearch(text);
  if (search.problem !== undefined) return search.problem;
  const [start, end] = search.ranges(['x', label], 1);
  return start < 0 ? label : `${label.slice(0, start)}[${label.slice(start, end)}]${label.slice(end)}`;
}

test('the first match begins and ends somewhere', () => {
  expect(marked('hashmap', 'java.util.HashMap.get')).toBe('java.util.[HashMap].get');
  expect(marked('/h.*p/', 'java.util.HashMap.get')).toBe('java.util.[HashMap].get');
  expect(marked('Foo$Bar.run(', 'Foo$Bar.run(')).toBe('[Foo$Bar.run(]');
  expect(marked('nothing', 'Foo.run')).toBe('Foo.run');
  expect(marked('', 'Foo.run')).toBe('Foo.run');
  expect(marked('/x*/', 'Foo.run')).toBe('[]Foo.run');
});

function searchFor(text: string): ValidSearch {
  const search = parseSearch(text);
  if (!isSearching(search)) throw new Error(`${text} is no search`);
  return search;
}

test('a search counts a sample once, however often it matches', () => {
  const { profile } = profileFromText(`
    main      main      main
    Cart.add  Shop.pay  Cart.add
    Cart.sum            Shop.pay
  `);
  const { tree } = callTreeOf(profile, { threads: 'all', frames: 'fqmn' });
  const { keys } = tree;
  const matched = (text: string): readonly [number, number] => {
    const stacks = { profile, extent: extentOf(profile), keys };
    const counts = [tree, undefined].map((each) => {
      const matches = new SearchMatches(keys, searchFor(text));
      matches.update();
      return [
        matches.names,
        matches.samplesOf(profile.selfValues, { ...stacks, tree: each }).samples,
      ] as const;
    });
    // In the rows of a tree as in call nodes.
    expect(counts[0]).toEqual(counts[1]);
    return counts[0];
  };
  expect(matched('cart')).toEqual([2, 2]);
  expect(matched('/^cart.*sum$/')).toEqual([1, 1]);
  expect(matched('Shop')).toEqual([1, 2]);
  expect(matched('nothing')).toEqual([0, 0]);
});

test('what is empty or invalid is no search', () => {
  expect(isSearching(parseSearch(''))).toBe(false);
  expect(isSearching(parseSearch('/(/'))).toBe(false);
  expect(parseSearch('/(/').problem).toContain('Unterminated group');
});

/** How often rows of `nodes.frame` are read by `work`. */
function frameLookups(nodes: NodeTable, work: () => void): number {
  const { frame: column } = nodes;
  let reads = 0;
  nodes.frame = new Proxy(column, {
    get(target, property) {
      if (typeof property === 'string' && /^\d+$/.test(property)) reads++;
      return Reflect.get(target, property) as unknown;
    },
  });
  work();
  nodes.frame = column;
  return reads;
}

test('while a log grows, a label is compared once and a call node visited once', () => {
  const followed = new FollowedLog();
  const { profile } = followed.aggregator;
  const keys = new KeyTable(profile, 'fqmn');
  const compared: string[] = [];
  const matches = new SearchMatches(keys, {
    text: 'hash',
    problem: undefined,
    ranges(labels, from) {
      compared.push(...labels.slice(from));
      return searchFor('hash').ranges(labels, from);
    },
  });
  const grow = (
    ...records: readonly Uint8Array[]
  ): readonly [samples: number, newNodes: number, visited: number] => {
    const before = profile.nodes.length;
    followed.append(log(...records), true);
    keys.update();
    matches.update();
    let samples = 0;
    const visited = frameLookups(profile.nodes, () => {
      const stacks = { profile, extent: extentOf(profile), keys, tree: undefined };
      ({ samples } = matches.samplesOf(profile.selfValues, stacks));
    });
    return [samples, profile.nodes.length - before, visited];
  };
  const named = (id: number, name: string): Uint8Array => method(id, 'Map.java', 'LMap;', name);
  const [run, put, hash, get] = [1, 2, 3, 4].map((id) => frame(id, 1, 1));

  // A thread has a root, which has no frame.
  const first = grow(
    ...[named(1, 'run'), named(2, 'put'), named(3, 'hash'), named(4, 'get')],
    ...[trace(1, 1, hash, put, run), trace(1, 2, get, run)],
  );
  expect(first).toEqual([1, 5, 4]);
  // Below a node that matched before, and elsewhere.
  expect(grow(trace(1, 3, get, hash, put, run), trace(1, 4, put, get, run))).toEqual([2, 2, 2]);
  // Samples at known nodes.
  expect(grow(trace(1, 5, hash, put, run), trace(1, 6, get, run))).toEqual([3, 0, 0]);
  expect(compared).toEqual(['Map.hash', 'Map.put', 'Map.run', 'Map.get']);
});
