export type ListKey =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'
  | 'open'
  | 'close'
  | 'toggle'
  | 'only'
  | 'allBut'
  | 'all';

const KEYS: Readonly<Record<string, ListKey>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  ' ': 'toggle',
  Enter: 'only',
  Delete: 'allBut',
};

/** What a key does in the list of threads. */
export function listKey(press: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}): ListKey | undefined {
  if (press.altKey) return undefined;
  if (press.ctrlKey || press.metaKey) return press.key.toLowerCase() === 'a' ? 'all' : undefined;
  return Object.hasOwn(KEYS, press.key) ? KEYS[press.key] : undefined;
}
