import { keyName } from '../widgets/key-name.ts';

/** A key press, as far as the window's own keys depend on it. */
export interface KeyPress {
  readonly key: string;
  /** The place of the key: `KeyN`. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export type Command =
  | 'open'
  | 'attach'
  | 'search'
  | 'nextMatch'
  | 'previousMatch'
  | 'escape'
  | 'showTree'
  | 'showFlat'
  | 'showFlame'
  | 'showAll'
  | 'showSandwich'
  | 'showSource'
  | 'heatmap'
  | 'chart'
  | 'nextPane'
  | 'previousPane'
  | 'flipFlame'
  | 'resetZoom'
  | 'zoomBack'
  | 'zoomForward'
  | 'freeze'
  | 'mark'
  | 'theme'
  | 'help'
  | 'details'
  | 'threads'
  | 'filter'
  | 'recent'
  | 'exportSvg'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab'
  | 'moveTabLeft'
  | 'moveTabRight'
  | 'renameTab'
  | 'compare'
  | 'mergeLogs'
  | 'undo'
  | 'redo';

/** No letters: they find what is typed in a list. */
const PLAIN: Readonly<Record<string, Command>> = {
  '/': 'search',
  Escape: 'escape',
  '1': 'showTree',
  '2': 'showFlat',
  '3': 'showFlame',
  '4': 'showAll',
  '5': 'showSandwich',
  '6': 'showSource',
  '7': 'heatmap',
  '8': 'chart',
  '0': 'resetZoom',
  '?': 'help',
  ']': 'nextTab',
  '[': 'previousTab',
};

const WITH_CONTROL: Readonly<Record<string, Command>> = {
  o: 'open',
  f: 'search',
  s: 'exportSvg',
  w: 'closeTab',
  z: 'undo',
  y: 'redo',
  Tab: 'nextTab',
};

const WITH_CONTROL_AND_SHIFT: Readonly<Record<string, Command>> = {
  z: 'redo',
  f: 'filter',
  pageup: 'moveTabLeft',
  pagedown: 'moveTabRight',
};

/**
 * With Alt, by `keyName`. Browsers go to another page with the arrows. Letters that open a menu or the address field of a
 * browser are none of them: B, D, E, F, H, S, T, V.
 */
const WITH_ALT: Readonly<Record<string, Command>> = {
  'Alt+ArrowLeft': 'zoomBack',
  'Alt+ArrowRight': 'zoomForward',
  'Alt+Enter': 'details',
  'Alt+a': 'attach',
  'Alt+c': 'compare',
  'Alt+i': 'flipFlame',
  'Alt+j': 'threads',
  'Alt+m': 'mark',
  'Alt+n': 'nextMatch',
  'Alt+Shift+h': 'recent',
  'Alt+Shift+n': 'previousMatch',
  'Alt+y': 'theme',
  'Alt+z': 'freeze',
};

/** Keys that also work while text is typed. */
const PLAIN_IN_TEXT: readonly string[] = ['Escape'];

/**
 * The command of a key press that no pane has handled. Control is Command on a Mac. `inText`:
 * the focus is in a text field.
 */
export function commandOf(press: KeyPress, isMac: boolean, inText: boolean): Command | undefined {
  if (press.altKey) return altCommandOf(press, isMac && inText);
  // As in other programs, also while text is typed.
  if (press.key === 'F6' && !press.ctrlKey && !press.metaKey) {
    return press.shiftKey ? 'previousPane' : 'nextPane';
  }
  if (press.key === 'F2') {
    const isPlain = !press.ctrlKey && !press.metaKey && !press.shiftKey;
    return isPlain && !inText ? 'renameTab' : undefined;
  }
  if (press.ctrlKey && press.key === 'Tab') return press.shiftKey ? 'previousTab' : 'nextTab';
  const control = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (other) return undefined;
  const keys = !control ? PLAIN : press.shiftKey ? WITH_CONTROL_AND_SHIFT : WITH_CONTROL;
  if (!control && inText && !PLAIN_IN_TEXT.includes(press.key)) return undefined;
  const name = control ? press.key.toLowerCase() : press.key;
  // In a text field these undo what was typed.
  if (control && inText && (name === 'z' || name === 'y')) return undefined;
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

/** `isTyped`: Alt makes characters, and moves by words, in a Mac's text fields. */
function altCommandOf(press: KeyPress, isTyped: boolean): Command | undefined {
  if (isTyped || press.ctrlKey || press.metaKey) return undefined;
  const name = keyName(press);
  return Object.hasOwn(WITH_ALT, name) ? WITH_ALT[name] : undefined;
}
