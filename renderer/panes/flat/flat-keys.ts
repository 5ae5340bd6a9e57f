import type { Move } from '../../profile-worker/pane-messages.ts';

export type FlatKey =
  { readonly type: 'move'; readonly to: Move } | { readonly type: 'find' | 'sort' | 'menu' };

const KEYS: Readonly<Record<string, FlatKey>> = {
  ArrowUp: { type: 'move', to: 'up' },
  ArrowDown: { type: 'move', to: 'down' },
  PageUp: { type: 'move', to: 'pageUp' },
  PageDown: { type: 'move', to: 'pageDown' },
  Home: { type: 'move', to: 'first' },
  End: { type: 'move', to: 'last' },
  Enter: { type: 'find' },
  s: { type: 'sort' },
  ContextMenu: { type: 'menu' },
};

/** What a key does in the flat list; undefined when it is not the list's. */
export function flatKey(key: string): FlatKey | undefined {
  return Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
}
