import { beforeEach, expect, test } from 'vitest';
import { scopeEntries, scopeKey, type ScopeTarget } from '../../../renderer/panes/scope-entries.ts';
import { methodEntries } from '../../../renderer/panes/enter-pane.ts';
import { selectionOf } from '../../../renderer/store/state/selection.ts';
import { kindOf } from '../../../shared/scope/transforms.ts';
import { INITIAL_STATE, newLogView } from '../../../renderer/store/state/window-state.ts';
import { useWindow } from '../../../renderer/store/state/window-store.ts';
import { menuItem, menuItems } from '../../support/menu-entries.ts';
import type { Transform } from '../../../shared/scope/scope.ts';

beforeEach(() =>
  useWindow.setState({ ...INITIAL_STATE, logs: [newLogView('a', undefined, 'a.hpl', '/')], active: 'a' }),
);

const frame = (label: string): ScopeTarget => ({ kind: 'frame', label });

/** What an entry of the menu of a frame does to the scope. */
function transformOf(text: string, label: string): Transform | undefined {
  menuItem(scopeEntries(frame(label)), text).run();
  return useWindow.getState().logs[0].scope.transforms.at(-1);
}

test.each(['com.acme.Order$Item.price', '(4711) com.acme.Order$Item.price', 'com.acme.Order$Item.price:12'])(
  'packages and classes are those of the name, however frames are grouped: %s',
  (label) => {
    useWindow.setState(({ preferences }) => ({ preferences: { ...preferences, frames: 'method-id' } }));
    expect(transformOf('Collapse com.acme.*', label)).toEqual({
      kind: 'collapse',
      prefix: 'com.acme.',
      keys: 'fqmn',
    });
    scopeKey('Alt+Shift+x', frame(label))?.();
    scopeKey('Alt+Shift+c', frame(label))?.();
    expect(useWindow.getState().logs[0].scope.transforms.at(-1)).toEqual({
      kind: 'collapse',
      prefix: 'com.acme.',
      keys: 'fqmn',
    });
    expect(transformOf('Only com.acme.*', label)).toEqual({
      kind: 'only',
      prefixes: ['com.acme.'],
      keys: 'fqmn',
    });
    expect(transformOf('Collapse com.acme.Order.*', label)).toEqual({
      kind: 'collapse-class',
      className: 'com.acme.Order',
    });
  },
);

test.each([
  ['com.acme.shop.cart.Order.add', 'com.acme.'],
  ['Order.add', 'Order'],
  ['main', ''],
])('prefixes of %s are written in a dialog that begins with its own', (label, prefix) => {
  for (const open of ['key', 'menu'] as const) {
    useWindow.setState({ dialog: undefined, active: 'a' });
    if (open === 'key') scopeKey('Alt+Shift+o', frame(label))?.();
    else transformOf('Only\u2026', label);
    const transform = { kind: 'only', prefixes: prefix === '' ? [] : [prefix], keys: 'fqmn' };
    expect(useWindow.getState().dialog).toEqual({ kind: 'step', log: 'a', transform, at: undefined });
  }
});

test('a menu has at most eight entries and no pronoun, and its chip says what its entry says', () => {
  const row = frame('com.acme.shop.cart.Order.add');
  const entries = [
    ...methodEntries({ ...selectionOf('flat', { id: 1, ...row, kind: 'frame' }) }),
    ...scopeEntries(row),
  ];
  // The menus of panes have one or two more.
  expect(entries.filter((entry) => entry !== 'separator').length).toBeLessThanOrEqual(6);
  const texts = menuItems(entries).map(({ text }) => text);
  expect(texts.filter((text) => /\b(it|its|this|them|these)\b/.test(text))).toEqual([]);
  for (const text of [
    'Keep samples with Order.add',
    'Drop samples with Order.add',
    'Focus on Order.add',
    'Merge Order.add into callers',
    'Collapse com.acme.shop.cart.*',
    'Collapse com.acme.shop.cart.Order.*',
    'Only com.acme.*',
    'Stable names',
    'Collapse recursion',
  ]) {
    const transform = transformOf(text, row.label)!;
    expect(kindOf(transform).text(transform)).toBe(text);
  }
});

test.each(['thread', 'all', 'block'] as const)(
  'a row of kind %s has in its menu what its keys do',
  (kind) => {
    const target = { kind, label: 'main' };
    const texts = menuItems(scopeEntries(target)).map(({ text }) => text);
    const free = [
      'Leave out idle threads',
      'Only\u2026',
      'Collapse recursion',
      'Collapse direct recursion',
      'Stable names',
      'Stable names\u2026',
    ];
    const ofThread = ['Only thread main', 'All but thread main', 'Use thread main as baseline'];
    expect(texts).toEqual(kind === 'thread' ? [...ofThread, ...free] : free);
    const kinds = ['Alt+Shift+o', 'Alt+Shift+s', 'Alt+r', 'Alt+Shift+r'].map((key) => {
      scopeKey(key, target)?.();
      return useWindow.getState().logs[0].scope.transforms.at(-1)?.kind;
    });
    expect(kinds).toEqual([undefined, 'fold', 'collapse-recursion', 'collapse-recursion']);
    const transform = { kind: 'only', prefixes: [], keys: 'fqmn' };
    expect(useWindow.getState().dialog).toEqual({ kind: 'step', log: 'a', transform, at: undefined });
  },
);
