/** A key press, as far as the window's own keys depend on it. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export type Command =
  | 'open'
  | 'search'
  | 'nextMatch'
  | 'previousMatch'
  | 'escape'
  | 'showTree'
  | 'showFlat'
  | 'showFlame'
  | 'showAll'
  | 'turnFlame'
  | 'resetZoom'
  | 'freeze'
  | 'theme'
  | 'help'
  | 'details'
  | 'exportSvg'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab';

const PLAIN: Readonly<Record<string, Command>> = {
  '/': 'search',
  n: 'nextMatch',
  N: 'previousMatch',
  Escape: 'escape',
  '1': 'showTree',
  '2': 'showFlat',
  '3': 'showFlame',
  '4': 'showAll',
  i: 'turnFlame',
  '0': 'resetZoom',
  f: 'freeze',
  t: 'theme',
  '?': 'help',
  d: 'details',
  ']': 'nextTab',
  '[': 'previousTab',
};

const WITH_CONTROL: Readonly<Record<string, Command>> = {
  o: 'open',
  f: 'search',
  s: 'exportSvg',
  w: 'closeTab',
  Tab: 'nextTab',
};

/** Keys that also work while text is typed. */
const PLAIN_IN_TEXT: readonly string[] = ['Escape'];

/**
 * The command of a key, wherever the focus is; panes have taken theirs before. Control is Command on a Mac.
 * `inText`: the focus is where text is typed.
 */
export function commandOf(press: KeyPress, isMac: boolean, inText: boolean): Command | undefined {
  if (press.altKey) return undefined;
  if (press.ctrlKey && press.key === 'Tab') return press.shiftKey ? 'previousTab' : 'nextTab';
  const control = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (other) return undefined;
  const keys = control ? WITH_CONTROL : PLAIN;
  if (!control && inText && !PLAIN_IN_TEXT.includes(press.key)) return undefined;
  if (control && press.shiftKey) return undefined;
  const name = control ? press.key.toLowerCase() : press.key;
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

export interface KeyHelp {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}

/** What the help dialog lists; `Ctrl` is written as the platform does. */
export function keyHelp(isMac: boolean): readonly KeyHelp[] {
  const control = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);
  return [
    {
      title: 'Everywhere',
      keys: [
        [control('O'), 'Open a log'],
        [`${control('F')}  /`, 'Search'],
        ['N  Shift N', 'Next, previous match'],
        ['Esc', 'Cancel an export, leave the zoom, clear the search'],
        ['1  2  3  4', 'Tree, flat list, flame graph, all'],
        ['F', 'Freeze the view, or go on'],
        ['D', 'Details of the file'],
        ['T', 'Theme: system, light, dark'],
        [control('S'), 'Save the flame graph as SVG'],
        ['[  ]', 'Previous, next log'],
        [control('W'), 'Close the log'],
        ['?', 'These keys'],
      ],
    },
    {
      title: 'Tree and flat list',
      keys: [
        ['↑ ↓  PgUp PgDn', 'Move'],
        ['← →', 'Collapse or go to the caller, expand'],
        ['Enter', 'Expand or collapse; flat list: find in tree'],
        ['*', 'Expand all below'],
        ['H', 'Expand the hot path'],
        ['S', 'Sort again what has kept its place'],
        ['Shift F10', 'Menu of the row'],
      ],
    },
    {
      title: 'Flame graph',
      keys: [
        ['↑ ↓ ← →', 'Move between frames'],
        ['Enter  click', 'Zoom into the frame'],
        ['Backspace', 'Zoom out one frame'],
        ['0  Esc', 'Reset the zoom'],
        ['I', 'Root at the bottom or at the top'],
      ],
    },
  ];
}
