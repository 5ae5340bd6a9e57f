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

const PLAIN: Readonly<Record<string, Command>> = {
  '/': 'search',
  n: 'nextMatch',
  N: 'previousMatch',
  Escape: 'escape',
  '1': 'showTree',
  '2': 'showFlat',
  '3': 'showFlame',
  '4': 'showAll',
  '5': 'showSandwich',
  '6': 'showSource',
  a: 'attach',
  '7': 'heatmap',
  '8': 'chart',
  i: 'flipFlame',
  '0': 'resetZoom',
  f: 'freeze',
  m: 'mark',
  c: 'compare',
  t: 'theme',
  '?': 'help',
  d: 'details',
  T: 'threads',
  H: 'recent',
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

/** With Alt. Browsers go to another page with these keys. */
const WITH_ALT: Readonly<Record<string, Command>> = { ArrowLeft: 'zoomBack', ArrowRight: 'zoomForward' };

/** Keys that also work while text is typed. */
const PLAIN_IN_TEXT: readonly string[] = ['Escape'];

/**
 * The command of a key press that no pane has handled. Control is Command on a Mac. `inText`:
 * the focus is in a text field.
 */
export function commandOf(press: KeyPress, isMac: boolean, inText: boolean): Command | undefined {
  if (press.altKey) return zoomCommandOf(press, isMac && inText);
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

/** `movesByWords`: as Alt with the arrows does in a Mac's text fields. */
function zoomCommandOf(press: KeyPress, movesByWords: boolean): Command | undefined {
  if (movesByWords || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  return Object.hasOwn(WITH_ALT, press.key) ? WITH_ALT[press.key] : undefined;
}
