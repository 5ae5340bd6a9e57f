interface NamedPress {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * The name of a key press without Control and Command in lists of keys: `ArrowUp`, `/`, `Alt+n`, `Alt+Shift+k`. With Alt,
 * letters are small; a Mac makes other characters of them, so there the place of the key says which letter it is.
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

/** A key press, as far as names of keys depend on it. */
export interface KeyPress extends NamedPress {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * The name of a key press in commands of the window: `Mod+Shift+f`, `Alt+Shift+n`, `Shift+F6`, `?`. `Mod` is Command on a
 * Mac, Control elsewhere. undefined: no command has the modifiers.
 */
export function pressName(press: KeyPress, isMac: boolean): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (altKey) return ctrlKey || metaKey ? undefined : keyName(press);
  const shift = shiftKey ? 'Shift+' : '';
  // Command and Tab go to another program of a Mac.
  if (ctrlKey && key === 'Tab') return `Ctrl+${shift}Tab`;
  const [mod, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (other) return undefined;
  if (mod) return `Mod+${shift}${key.length === 1 ? key.toLowerCase() : key}`;
  return key.length === 1 ? key : `${shift}${key}`;
}

/** The text of such a name in the window: `Alt Shift K`, `⌘K` on a Mac. */
export function shownKey(name: string, isMac = false): string {
  return name
    .split('+')
    .map((part) => SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(' ')
    .replace('Mod ', isMac ? '⌘' : 'Ctrl ');
}

const SHOWN: Readonly<Record<string, string | undefined>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Delete: 'Del',
  Escape: 'Esc',
};

/** An event that is handled: neither the browser nor an element around it handles it, too. */
export function take(event: Pick<Event, 'preventDefault' | 'stopPropagation'>): void {
  event.preventDefault();
  event.stopPropagation();
}

/** A group of keys on the sheet. */
export interface KeyHelp {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}
