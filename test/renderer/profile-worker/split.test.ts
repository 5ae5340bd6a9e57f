import type { MethodRef } from '../../../shared/engine/query.ts';
import { expect, test } from 'vitest';
import type { RowsSpec } from '../../../renderer/profile-worker/pane-specs.ts';
import type { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import type { SplitMethod } from '../../../shared/engine/trees/grouping.ts';
import { flameRows } from '../../../shared/engine/views/flame-columns.ts';
import {
  Driven,
  expand,
  FLAT,
  flame,
  type Handled,
  rowTexts,
  select,
  rowsOf,
  splitInto,
  tree,
  view,
} from '../../support/driven-mirror.ts';
import { addSamples, profileFromText } from '../../support/profile-from-text.ts';

const LOG = `
  main        main         main         main         main         gc
  Shop.main   Shop.main    Shop.main    Shop.main    Shop.main    AGCT.GcActiveErr2
  Cart.add:7  Cart.add:12  Cart.add:12  Cart.add:12  Cart.add
  List.put    List.put     List.put     Cart.add:7
`;
const CART: readonly SplitMethod[] = [{ key: 'Cart.add', by: 'line' }];
const TREE = tree({ threads: 'all' });
const sort = { by: 'totalCount', descending: true } as const;

function detail(of: 'callers' | 'callees', method: MethodRef): Handled {
  return {
    type: 'pane',
    pane: of,
    spec: { kind: 'rows', of, method, threads: 'all', sort } satisfies RowsSpec,
  };
}

/** The window's mirror of a drawing. */
class Drawn extends Driven {
  readonly aggregator: ProfileAggregator;

  constructor(...requests: readonly Handled[]) {
    super(...requests);
    this.aggregator = profileFromText(LOG);
    this.mirror.show(this.aggregator.profile);
    this.mirror.grew(false);
    this.ask();
  }

  texts(pane: string): string[] {
    return rowTexts(this.shown(pane).rows, 99);
  }

  row(pane: string, label: string): ReturnType<typeof this.shown>['rows'][number] {
    return this.shown(pane).rows.find((row) => row.label === label)!;
  }
}

test('in the call tree a method becomes its lines, and one row again; another grouping and a scope keep it', () => {
  const drawn = new Drawn(TREE);
  drawn.ask(expand(0, 'all'));
  const before = drawn.texts('tree');
  drawn.ask(splitInto(CART));
  drawn.ask(expand(0, 'all'));
  const split = [
    '- All threads 6',
    '  - Shop.main 5',
    '    - Cart.add:12 3',
    '        List.put 2',
    '        Cart.add:7 1',
    '      Cart.add:bci 0 1',
    '    - Cart.add:7 1',
    '        List.put 1',
    '    AGCT.GcActiveErr2 1',
  ];
  expect(drawn.texts('tree')).toEqual(split);
  drawn.ask(view('', 'line'), splitInto(CART, { transforms: [{ kind: 'merge', key: 'Shop.main' }] }));
  expect(drawn.texts('tree').slice(0, 3)).toEqual([
    '- All threads 6',
    '  - Cart.add:12 3',
    '      List.put 2',
  ]);
  drawn.ask(splitInto(CART));
  expect(drawn.texts('tree')).toEqual(split);
  drawn.ask(view());
  expect(drawn.texts('tree')).toEqual(before);
});

test('in the methods the lines are below their method, sorted as it is, and follow what is searched', () => {
  const drawn = new Drawn(FLAT, splitInto(CART));
  const expected = [
    '  Cart.add 2 of 5',
    '    Cart.add:7 1 of 2',
    '    Cart.add:bci 0 1 of 1',
    '    Cart.add:12 0 of 3',
  ];
  const texts = (): string[] =>
    drawn
      .shown('flat')
      .rows.filter(({ label }) => label.startsWith('Cart'))
      .map((row) => `${'  '.repeat(row.depth + 1)}${row.label} ${row.selfCount} of ${row.totalCount}`);
  expect(texts()).toEqual(expected);
  drawn.ask({ ...(splitInto(CART) as Extract<Handled, { type: 'view' }>), search: ':12' });
  expect(texts()).toEqual(expected);
  expect(drawn.shown('flat').rows.filter(({ match }) => match)).toHaveLength(1);
  expect(drawn.last('search')).toMatchObject({ names: 1, samples: 3 });
  drawn.ask({ ...(splitInto(CART) as Extract<Handled, { type: 'view' }>), search: 'Cart' });
  expect(drawn.last('search').names).toBe(1);
});

test('while the log grows lines stay split, rows keep their ids, and new lines join them', () => {
  const drawn = new Drawn(FLAT, TREE, splitInto(CART));
  drawn.ask(expand(0, 'all'));
  const before = new Map(drawn.shown('flat').rows.map(({ label, id }) => [label, id]));
  expect(new Set(before.values()).size).toBe(before.size);
  addSamples(drawn.aggregator, ['main', 'Shop.main', 'Cart.add:99'].join('\n'));
  drawn.mirror.grew(false);
  drawn.ask();
  for (const [label, id] of before) expect(drawn.row('flat', label).id).toBe(id);
  expect(drawn.row('flat', 'Cart.add:99')).toMatchObject({ depth: 1, selfCount: 1 });
  expect(drawn.row('tree', 'Cart.add:99')).toMatchObject({ depth: 2, totalCount: 1 });
});

test('a selected line stays selected, in all panes, and becomes its method when the lines are joined', () => {
  const drawn = new Drawn(FLAT, TREE, splitInto(CART));
  drawn.ask(expand(0, 'all'), select('methods', drawn.row('flat', 'Cart.add:12')));
  drawn.ask(view());
  const { selection, rows } = drawn.last('selected');
  expect(selection?.label).toBe('Cart.add');
  expect(rows.flat).toBe(drawn.row('flat', 'Cart.add').id);
  drawn.ask(splitInto(CART));
  // The row of its heaviest call has kept its place.
  drawn.ask(rowsOf('tree', 0, 60));
  drawn.ask(select('calls', drawn.row('tree', 'Cart.add:12')));
  expect(drawn.last('selected').rows.flat).toBe(drawn.row('flat', 'Cart.add:12').id);
});

test('callers of a split method are those of all its lines, callers of a line those of the line', () => {
  const drawn = new Drawn(detail('callees', { of: 'callees', id: 0, label: 'Cart.add' }));
  drawn.ask(splitInto(CART));
  expect(drawn.texts('callees')).toEqual(['- Cart.add 5', '    List.put 3', '    Cart.add:7 1']);
  drawn.ask(detail('callees', { of: 'callees', id: 0, label: 'Cart.add:12' }));
  expect(drawn.texts('callees')).toEqual(['- Cart.add:12 3', '    List.put 2', '    Cart.add:7 1']);
});

test('callers keep what is open and selected when a method is split and a scope is entered', () => {
  const drawn = new Drawn(detail('callers', { of: 'callers', id: 0, label: 'List.put' }));
  const toggle = (label: string): Handled => {
    return { type: 'expand', pane: 'callers', row: drawn.row('callers', label).id, how: 'toggle', turn: 1 };
  };
  drawn.ask(toggle('Cart.add'));
  drawn.ask(select('callers', drawn.row('callers', 'Shop.main')));
  drawn.ask(splitInto(CART));
  // Its first line stays open.
  expect(drawn.texts('callers')).toEqual([
    '- List.put 3',
    '  + Cart.add:12 2',
    '  - Cart.add:7 1',
    '      Shop.main 1',
  ]);
  const { selection, rows } = drawn.last('selected');
  expect(selection).toMatchObject({ of: 'callers', label: 'Shop.main' });
  expect(rows.callers).toBe(drawn.row('callers', 'Shop.main').id);
  drawn.ask(splitInto(CART, { transforms: [{ kind: 'merge', key: 'Cart.add' }] }));
  expect(drawn.texts('callers')[1]).toBe('    Shop.main 3');
  drawn.ask(view());
  expect(drawn.texts('callers')[0]).toBe('- List.put 3');
});

test('the flame graph has a frame for each line', () => {
  const drawn = new Drawn();
  drawn.ask(splitInto(CART), flame());
  const labels = flameRows(drawn.last('flame').layout).map(({ label }) => label);
  expect(labels).toContain('Cart.add:12');
  expect(labels).not.toContain('Cart.add');
});

test('lines of a lambda with a folded name are those of all its classes', () => {
  const aggregator = profileFromText(`
    main                      main                      main
    Shop$$Lambda/0x01.run:3   Shop$$Lambda/0x02.run:3   Shop$$Lambda/0x02.run:4
  `);
  const drawn = new Driven(FLAT);
  drawn.mirror.show(aggregator.profile);
  drawn.mirror.grew(false);
  drawn.ask(
    splitInto([{ key: 'Shop$$Lambda.run', by: 'line' }], {
      transforms: [{ kind: 'fold', names: ['lambda'] }],
    }),
  );
  expect(rowTexts(drawn.shown('flat').rows, 9)).toEqual([
    '  Shop$$Lambda.run 3',
    '    Shop$$Lambda.run:3 2',
    '    Shop$$Lambda.run:4 1',
  ]);
});

/** The labels of a flame graph that a pane shows, root first, and the path to its root. */
function flameTexts(drawn: Drawn): string[] {
  const { layout, path } = drawn.last('flame');
  const labels = flameRows(layout).map(({ label, totalCount }) => `${label} ${totalCount}`);
  return [path.map(({ label }) => label).join(' > '), ...labels];
}

test('a zoom of callees stays with its frame when its ids change', () => {
  const drawn = new Drawn();
  const method = { of: 'callees', id: 0, label: 'Shop.main' } as const;
  drawn.ask(flame({ of: 'callees', method }));
  const [, cart] = flameRows(drawn.last('flame').layout);
  const zoom = { row: cart.id, run: undefined };
  drawn.ask(flame({ of: 'callees', method, zoom }));
  expect(flameTexts(drawn)).toEqual(['Shop.main > Cart.add', 'Cart.add 5', 'Cart.add 1', 'List.put 3']);
  const { numbering } = drawn.last('flame');
  // The window has not heard of the new ids yet.
  drawn.ask(splitInto([{ key: 'Shop.main', by: 'line' }, ...CART]));
  expect(flameTexts(drawn)[0]).toBe('Shop.main > Cart.add:7');
  expect(drawn.last('flame').numbering).toBe(numbering + 1);
  addSamples(drawn.aggregator, ['main', 'Shop.main', 'Cart.add:7'].join('\n'));
  drawn.mirror.grew(false);
  drawn.ask();
  expect(flameTexts(drawn).slice(0, 2)).toEqual(['Shop.main > Cart.add:7', 'Cart.add:7 2']);
  expect(drawn.last('flame').numbering).toBe(numbering + 1);
  drawn.ask(flame({ of: 'callees', method, zoom: undefined }));
  expect(flameTexts(drawn)[0]).toBe('Shop.main');
});

test('lines below a zoom into a line are those of the other panes, also under a scope that changes stacks', () => {
  const scope = { transforms: [{ kind: 'merge', key: 'Shop.main' }] } as const;
  const drawn = new Drawn(TREE, FLAT, splitInto(CART, scope));
  drawn.ask(expand(0, 'all'));
  const { id } = drawn.row('tree', 'Cart.add:12');
  const { id: put } = drawn.row('flat', 'List.put');
  const look = splitInto(CART, scope) as Extract<Handled, { type: 'view' }>;
  const method = { of: 'methods', id: put, label: 'List.put' } as const;
  drawn.ask(
    { ...look, narrowing: { threads: 'all', zoom: { row: id, run: undefined } } },
    { type: 'pane', pane: 'source', spec: { kind: 'lines', of: 'methods', method } },
  );
  expect(drawn.row('flat', 'List.put').totalCount).toBe(2);
  expect(drawn.last('lines').lines?.files.map(({ whole }) => whole.totalCount)).toEqual([2]);
});
