export type TabKey =
  /** Shows the next log. */
  | { readonly type: 'activate'; readonly step: 1 | -1 }
  /** Moves the focus; `chooses`: the tabs up to there, too. */
  | { readonly type: 'focus'; readonly step: 1 | -1; readonly chooses: boolean }
  | { readonly type: 'toggle' | 'chooseAll' | 'chooseNone' | 'close' };

interface TabKeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  /** Control, or Command on a Mac. */
  readonly control: boolean;
}

/** What a key does on a tab. */
export function tabKey({ key, shiftKey, control }: TabKeyPress): TabKey | undefined {
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const step = key === 'ArrowRight' ? 1 : -1;
    if (control && shiftKey) return undefined;
    return control || shiftKey ? { type: 'focus', step, chooses: shiftKey } : { type: 'activate', step };
  }
  if (shiftKey) return undefined;
  if (control) return key === ' ' ? { type: 'toggle' } : key === 'a' ? { type: 'chooseAll' } : undefined;
  if (key === 'Escape') return { type: 'chooseNone' };
  return key === 'Delete' ? { type: 'close' } : undefined;
}
