import { type ReactNode, useState } from 'react';
import { isMac } from '../store/window-store.ts';
import { takesFocus } from '../widgets/Dialog.tsx';
import { keyOf } from './commands.ts';
import { commonKeys, type KeyHelp, keyHelp } from './key-help.ts';
import { rankOf } from './rank.ts';
import './help.css';

/** The sheet of keyboard shortcuts: the common ones, and those that are searched. */
export function Sheet(): ReactNode {
  const [text, setText] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const all = keyHelp(isMac());
  const groups = text !== '' ? matching(all, text) : showsAll ? all : [commonKeys(isMac())];
  const count = all.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <>
      <div className="help-search">
        <input
          ref={takesFocus}
          type="search"
          className="text-field"
          spellCheck={false}
          aria-label="Search shortcuts"
          placeholder="Search shortcuts"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          type="button"
          className="button"
          aria-pressed={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show the common ones' : `Show all ${count}`}
        </button>
        <span className="help-palette">
          All commands: <kbd>{keyOf('palette')}</kbd>
        </span>
      </div>
      <div className="help-columns" role="status">
        {groups.length === 0 && <p>No shortcut is called that.</p>}
        {groups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </div>
    </>
  );
}

function Group({ group: { title, keys } }: { readonly group: KeyHelp }): ReactNode {
  return (
    <section>
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
