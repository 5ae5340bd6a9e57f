import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { methodEntries } from '../panes/enter-pane.ts';
import { scopeEntries } from '../panes/scope-entries.ts';
import { closeDialog, find, search } from '../store/actions/actions.ts';
import { activeLog } from '../store/state/selectors.ts';
import { activate } from '../store/actions/tab-actions.ts';
import { tabNames } from '../store/state/log-names.ts';
import type { WindowState } from '../store/state/window-state.ts';
import { isMac, useWindow } from '../store/state/window-store.ts';
import { takesFocus } from '../widgets/Form.tsx';
import { shownKey, take } from '../widgets/key-name.ts';
import { hasMoved, type MenuEntry } from '../widgets/Menu.tsx';
import { COMMANDS } from './commands.ts';
import { viewEntries } from './ViewOptions.tsx';

/** One line of the palette. */
interface PaletteEntry {
  readonly text: string;
  /** The group of the command; '' for the window. */
  readonly group: string;
  /** Its key. */
  readonly hint?: string | undefined;
  readonly run: () => void;
}

/** Texts of entries that were run in this window, the last one first: they are on top before anything is typed. */
let used: readonly string[] = [];

/** Lines of a page. */
const PAGE = 8;

/** The command palette: everything that can be done now, found by some letters of its name. */
export function Palette(): ReactNode {
  const list = useId();
  // As of when it was opened: lines do not move while they are read.
  const [entries] = useState(() => withUsedFirst(paletteEntries(useWindow.getState())));
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = [...foundIn(entries, text), ...findMethods(text)];
  const active = Math.min(at, found.length - 1);

  function run(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    // The focus goes back to where it was: some commands are about that place.
    used = [entry.text, ...used.filter((text) => text !== entry.text)];
    flushSync(() => closeDialog('palette'));
    entry.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + PAGE, PageUp: active - PAGE }[
      event.key
    ];
    const isPage = event.key.startsWith('Page');
    if (event.key === 'Enter') run(found[active]);
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) closeDialog('palette');
    else if (to === undefined) return;
    else if (isPage) setAt(Math.max(0, Math.min(found.length - 1, to)));
    else setAt((to + found.length) % Math.max(1, found.length));
    take(event);
  }

  const optionId = (index: number): string => `${list}-${index}`;
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active, text]);

  return (
    <>
      <input
        ref={takesFocus}
        type="text"
        className="palette-field"
        role="combobox"
        spellCheck={false}
        autoComplete="off"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : optionId(active)}
        placeholder="Find a command, a tab or a transform"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} className="palette-list" role="listbox" aria-label="Commands">
        {found.map((entry, index) => (
          <li
            key={`${entry.group} ${entry.text}`}
            className="line"
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            onPointerMove={(event) => {
              if (hasMoved(event)) setAt(index);
            }}
            onClick={() => run(entry)}
          >
            <span className="grow cut">{entry.text}</span>
            {entry.group !== '' && <span className="small dim">{entry.group}</span>}
            {entry.hint !== undefined && <kbd>{entry.hint}</kbd>}
          </li>
        ))}
      </ul>
      <p className="palette-none mid" role="status">
        {found.length === 0 ? 'Nothing that can be done now is called that.' : ''}
      </p>
    </>
  );
}

/** An entry that finds methods: the text may be the name of one instead of a command. */
function findMethods(text: string): readonly PaletteEntry[] {
  const state = useWindow.getState();
  if (text.trim().length < 2 || activeLog(state) === undefined) return [];
  const run = (): void => {
    search(text.trim());
    find(1);
  };
  return [{ text: `Find methods with “${text.trim()}”`, group: '', hint: '/', run }];
}

/** Everything that can be done now: commands, transforms of what is selected, choices of the view, other tabs. */
export function paletteEntries(state: WindowState): readonly PaletteEntry[] {
  const selection = activeLog(state)?.selection;
  const names = tabNames(state.logs);
  const commands = COMMANDS.filter(({ isKeyOnly, when }) => isKeyOnly !== true && when?.(state) !== false);
  return [
    ...commands.map(({ title, keys, run }) => ({
      text: title,
      group: '',
      run,
      hint: keys === undefined ? undefined : shownKey(keys[0], isMac()),
    })),
    ...(selection === undefined
      ? []
      : grouped('Selection', [...methodEntries(selection), ...scopeEntries(selection)])),
    ...grouped('View', viewEntries(state)),
    ...state.logs.flatMap(({ key }, at) => {
      const { name, apart } = names[at];
      const entry = { text: `Go to ${name} ${apart}`.trimEnd(), group: 'Tab', run: () => activate(key) };
      return key === state.active ? [] : [entry];
    }),
  ];
}

function withUsedFirst(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const placeOf = ({ text }: PaletteEntry): number =>
    used.includes(text) ? used.indexOf(text) : used.length;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The entries of a menu that can be chosen, and those of menus beside it. */
function grouped(group: string, entries: readonly MenuEntry[]): readonly PaletteEntry[] {
  return entries.flatMap((entry) => {
    if (entry === 'separator') return [];
    if ('entries' in entry) return grouped(group, entry.entries);
    const { text, hint, disabled, run } = entry;
    return disabled === true ? [] : [{ text, group, hint, run }];
  });
}

/** The entries that match, the best ones first; all of them before anything is typed. */
export function foundIn(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  return entries
    .flatMap((entry) => {
      const rank = rankOf(text, `${entry.text} ${entry.group}`);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** The rank of a name for what was typed, the best is the lowest; undefined: it does not match. */
export function rankOf(typed: string, name: string): number | undefined {
  const text = name.toLowerCase();
  let rank = 0;
  for (const word of typed.toLowerCase().split(' ')) {
    if (word === '') continue;
    const cost = rankOfWord(word, text);
    if (cost === undefined) return undefined;
    rank += cost;
  }
  return rank;
}

/** Begins of words come before middles of words; letters that are left out, and first letters of several words, come last. */
function rankOfWord(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: each }) => each);
  if (at > 0) return words.some((each) => each.startsWith(word)) ? 1 : 3;
  if (words.some((each) => each.startsWith(word[0]) && isIn(word, each))) return 6;
  return isIn(word, words.map(([first]) => first).join('')) ? 6 : undefined;
}

/** Whether all letters are in a text, in their order. */
function isIn(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
