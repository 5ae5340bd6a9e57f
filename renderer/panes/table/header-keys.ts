export type HeaderKey =
  /** To another title; from either end no further. */
  | { readonly type: 'go'; readonly step: number }
  | { readonly type: 'resize' | 'move'; readonly step: 1 | -1 }
  | { readonly type: 'menu' };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key does to the column whose title has the focus; undefined when it is not the header's. */
export function headerKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): HeaderKey | undefined {
  if (altKey || metaKey) return undefined;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { type: 'menu' };
  if (key === 'Home' || key === 'End') return { type: 'go', step: key === 'Home' ? -Infinity : Infinity };
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const step = key === 'ArrowLeft' ? -1 : 1;
  if (shiftKey) return { type: ctrlKey ? 'move' : 'resize', step };
  return ctrlKey ? undefined : { type: 'go', step };
}
