import type { Expansion, Move } from '../../profile-worker/pane-messages.ts';

export type TreeKey =
  | { readonly type: 'move'; readonly to: Move }
  | { readonly type: 'expand'; readonly how: Expansion }
  | { readonly type: 'sort' | 'menu' };

const KEYS: Readonly<Record<string, TreeKey>> = {
  ArrowUp: { type: 'move', to: 'up' },
  ArrowDown: { type: 'move', to: 'down' },
  ArrowLeft: { type: 'move', to: 'parentOrCollapse' },
  ArrowRight: { type: 'move', to: 'childOrExpand' },
  PageUp: { type: 'move', to: 'pageUp' },
  PageDown: { type: 'move', to: 'pageDown' },
  Home: { type: 'move', to: 'first' },
  End: { type: 'move', to: 'last' },
  Enter: { type: 'expand', how: 'toggle' },
  ' ': { type: 'expand', how: 'toggle' },
  '*': { type: 'expand', how: 'all' },
  h: { type: 'expand', how: 'hot' },
  s: { type: 'sort' },
  ContextMenu: { type: 'menu' },
};

/** What a key does in the tree; undefined when it is not the tree's. */
export function treeKey(key: string): TreeKey | undefined {
  return Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
}
