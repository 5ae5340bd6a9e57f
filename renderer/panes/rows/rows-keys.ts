import type { Expansion, Move } from '../../profile-worker/pane-messages.ts';

export type RowsKey =
  | { readonly type: 'move'; readonly to: Move }
  | { readonly type: 'expand'; readonly how: Expansion }
  | { readonly type: 'open' | 'sort' | 'menu' | 'lines' };

const LIST_KEYS: Readonly<Record<string, RowsKey>> = {
  ArrowUp: { type: 'move', to: 'up' },
  ArrowDown: { type: 'move', to: 'down' },
  PageUp: { type: 'move', to: 'pageUp' },
  PageDown: { type: 'move', to: 'pageDown' },
  Home: { type: 'move', to: 'first' },
  End: { type: 'move', to: 'last' },
  Enter: { type: 'open' },
  'Alt+o': { type: 'sort' },
  'Alt+l': { type: 'lines' },
  ContextMenu: { type: 'menu' },
};

const TREE_KEYS: Readonly<Record<string, RowsKey>> = {
  ...LIST_KEYS,
  ArrowLeft: { type: 'move', to: 'parentOrCollapse' },
  ArrowRight: { type: 'move', to: 'childOrExpand' },
  ' ': { type: 'expand', how: 'toggle' },
  '*': { type: 'expand', how: 'all' },
  'Alt+ArrowDown': { type: 'expand', how: 'hot' },
};

/** What a key does in a pane of rows, by `keyName`; undefined when it is not the pane's. */
export function rowsKey(key: string, isTree: boolean): RowsKey | undefined {
  const keys = isTree ? TREE_KEYS : LIST_KEYS;
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}
