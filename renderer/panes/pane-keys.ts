import type { Expansion, Move } from '../profile-worker/pane-messages.ts';
import type { KeyboardEvent as ReactKeyboardEvent } from 'react';
import { keyName, take } from '../widgets/key-name.ts';
import { scopeKey, type ScopeTarget } from './scope-entries.ts';

/**
 * The action that a key press in a pane of rows or frames asks for, by `actionOf`, which gets its `keyName`. Copying
 * `row`, which has the keys, and changes of the scope for it are done here. A key press that means something is taken.
 */
export function paneAction<Action>(
  event: ReactKeyboardEvent,
  row: ScopeTarget | undefined,
  copy: (() => void) | undefined,
  actionOf: (key: string) => Action | undefined,
): Action | undefined {
  const isCommand = event.ctrlKey || event.metaKey;
  const key = keyName(event);
  const run = isCommand ? (event.key === 'c' ? copy : undefined) : row && scopeKey(key, row);
  const action = isCommand || run !== undefined ? undefined : actionOf(key);
  if (run === undefined && action === undefined) return undefined;
  take(event);
  run?.();
  return action;
}

type RowsKey =
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

/** The action of a key in a pane of rows, by `keyName`; undefined when it is not the pane's. */
export function rowsKey(key: string, isTree: boolean): RowsKey | undefined {
  const keys = isTree ? TREE_KEYS : LIST_KEYS;
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** An action of a key in a source file. */
type SourceAction =
  | { readonly type: 'by'; readonly lines: 1 | -1; readonly isPage: boolean }
  | { readonly type: 'first' | 'last' | 'hottest' | 'edit' | 'copy' }
  /** To the next or previous line with samples. */
  | { readonly type: 'sampled'; readonly step: 1 | -1 };

const ACTIONS: Readonly<Record<string, SourceAction>> = {
  ArrowDown: { type: 'by', lines: 1, isPage: false },
  ArrowUp: { type: 'by', lines: -1, isPage: false },
  PageDown: { type: 'by', lines: 1, isPage: true },
  PageUp: { type: 'by', lines: -1, isPage: true },
  Home: { type: 'first' },
  End: { type: 'last' },
  ArrowRight: { type: 'sampled', step: 1 },
  ArrowLeft: { type: 'sampled', step: -1 },
  'Alt+ArrowDown': { type: 'hottest' },
  Enter: { type: 'edit' },
};

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

export function sourceKey(press: KeyPress): SourceAction | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (ctrlKey || metaKey) return key === 'c' && !altKey ? { type: 'copy' } : undefined;
  const name = keyName(press);
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

type HeaderKey =
  /** To another title; from either end no further. */
  | { readonly type: 'go'; readonly step: number }
  | { readonly type: 'resize' | 'move'; readonly step: 1 | -1 }
  | { readonly type: 'menu' };

/** The action of a key on the column whose title has the focus; undefined when it is not the header's. */
export function headerKey({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: Omit<KeyPress, 'code'>): HeaderKey | undefined {
  if (altKey || metaKey) return undefined;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { type: 'menu' };
  if (key === 'Home' || key === 'End') return { type: 'go', step: key === 'Home' ? -Infinity : Infinity };
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const step = key === 'ArrowLeft' ? -1 : 1;
  if (shiftKey) return { type: ctrlKey ? 'move' : 'resize', step };
  return ctrlKey ? undefined : { type: 'go', step };
}
