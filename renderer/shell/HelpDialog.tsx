import { type ReactNode, useState } from 'react';
import { GUIDE } from '../../shared/protocol/desktop-bridge.ts';
import { transformKeys } from '../../shared/scope/transforms.ts';
import { PANE_KINDS } from '../panes/pane-kinds.tsx';
import { trackKeys } from '../panes/timeline/timeline-keys.ts';
import { isMac } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { takesFocus, TextField } from '../widgets/Form.tsx';
import { type KeyHelp, shownKey } from '../widgets/key-name.ts';
import { COMMANDS, keyOf } from './commands.ts';
import { rankOf } from './Palette.tsx';

/** The sheet of keyboard shortcuts: the common ones, and those that are searched. */
export function Sheet(): ReactNode {
  const [text, setText] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const all = keyHelp(isMac());
  const groups = text !== '' ? matching(all, text) : showsAll ? all : [commonKeys(isMac())];
  const count = all.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <>
      <div className="help-search line wrap">
        <TextField
          ref={takesFocus}
          type="search"
          aria-label="Find shortcuts"
          placeholder="Find shortcuts"
          value={text}
          onText={setText}
        />
        <Button aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show the common ones' : `Show all ${count}`}
        </Button>
        <span className="help-palette keys mid">
          <a className="link" href={GUIDE} target="_blank" rel="noreferrer">
            Guide
          </a>{' '}
          · All commands: <kbd>{keyOf('palette')}</kbd>
        </span>
      </div>
      <div className="help-columns keys" role="status">
        {groups.length === 0 && <p>No shortcut is called that.</p>}
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([names, what]) => (
                <div key={what}>
                  <dt>
                    {names.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}

function matching(groups: readonly KeyHelp[], text: string): readonly KeyHelp[] {
  return groups
    .map(({ title, keys }) => ({
      title,
      keys: keys.filter(([names, what]) => rankOf(text, `${what} ${title} ${names.join(' ')}`) !== undefined),
    }))
    .filter(({ keys }) => keys.length > 0);
}

/** The keys that the sheet shows before anything is searched. */
export function commonKeys(isMac: boolean): KeyHelp {
  return {
    title: 'Common',
    keys: keysOf(
      COMMANDS.filter(({ isCommon }) => isCommon),
      isMac,
    ),
  };
}

/** All keys: of commands, of transforms, and of panes. A test compares those of panes with what these do. */
export function keyHelp(isMac: boolean): readonly KeyHelp[] {
  return [
    { title: 'Window', keys: keysOf(COMMANDS, isMac) },
    { title: 'Transforms of the selected method or frame', keys: keysOf(transformKeys(), isMac) },
    ...paneKeys((key) => (isMac ? `⌘${key}` : `Ctrl ${key}`)),
  ];
}

function keysOf(
  entries: readonly { readonly title: string; readonly keys?: readonly string[] }[],
  isMac: boolean,
): KeyHelp['keys'] {
  return entries.flatMap(({ title, keys }) =>
    keys === undefined ? [] : [[keys.map((key) => shownKey(key, isMac)), title] as const],
  );
}

/** The keys that panes handle themselves. */
function paneKeys(control: (key: string) => string): readonly KeyHelp[] {
  const { rows, ...others } = PANE_KINDS;
  return [
    {
      title: 'Tabs of logs',
      keys: [
        [['←', '→'], 'Previous, next log'],
        [['Delete'], 'Close the log'],
      ],
    },
    rows.keys(control),
    {
      title: 'Column titles',
      keys: [
        [['←', '→', 'Home', 'End'], 'Move between titles'],
        [['Shift ←', 'Shift →'], 'Make the column narrower, wider'],
        [['Ctrl Shift ←', 'Ctrl Shift →'], 'Move the column'],
        [['Shift F10', 'Menu'], 'Menu of the columns'],
      ],
    },
    ...trackKeys(control),
    ...Object.values(others).map(({ keys }) => keys(control)),
  ];
}
