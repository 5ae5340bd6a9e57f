import { keyName } from '../../widgets/key-name.ts';

/** What a key does in a source file. */
export type SourceAction =
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

export interface SourceKeyPress {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export function sourceKey(press: SourceKeyPress): SourceAction | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (ctrlKey || metaKey) return key === 'c' && !altKey ? { type: 'copy' } : undefined;
  const name = keyName(press);
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}
