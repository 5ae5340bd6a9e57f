interface NamedPress {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * How lists of keys name a key press without Control and Command: `ArrowUp`, `/`, `Alt+n`, `Alt+Shift+k`. With Alt, letters
 * are small; a Mac makes other characters of them, so there the place of the key says which letter it is.
 */
export function keyName({ key, code, altKey, shiftKey }: NamedPress): string {
  if (!altKey) return key;
  const letter = /^[a-z]$/i.test(key) ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key);
  const name = letter.length === 1 ? letter.toLowerCase() : letter;
  return `Alt+${shiftKey ? 'Shift+' : ''}${name}`;
}

/** Whether a key press in a list begins to find a name. */
export function beginsFind({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<NamedPress, 'key' | 'altKey'> & { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean {
  return !ctrlKey && !metaKey && !altKey && /^[\p{L}_$]$/u.test(key);
}

/** How the window shows such a name: `Alt Shift K`. */
export function shownKey(name: string): string {
  return name
    .split('+')
    .map((part) => SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(' ');
}

const SHOWN: Readonly<Record<string, string | undefined>> = { ArrowDown: '↓', Delete: 'Del' };
