import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { SourceRootEntry, SourceSettings } from '../../shared/protocol/source-messages.ts';
import { addSource, chooseEditor, removeSource, setEditor } from '../store/source-search.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import './sources.css';

/** Where sources are looked for, and with what they are opened. */
export function Sources(): ReactNode {
  const settings = useWindow((state) => state.sources);
  if (settings === undefined)
    return (
      <p className="dialog-help">
        Sources need the desktop program, or leanscope serve: this page is not connected to either.
      </p>
    );
  return (
    <>
      <Roots settings={settings} />
      <Editors settings={settings} />
    </>
  );
}

function Roots({ settings: { roots, jdks, canChange } }: { readonly settings: SourceSettings }): ReactNode {
  return (
    <>
      <h3>Folders and archives</h3>
      <p className="dialog-help">
        A folder of packages or of a whole project, or a -sources.jar. They are looked in from top to bottom,
        then the sources of a JDK.
      </p>
      {roots.length > 0 && (
        <ul className="sources-list" aria-label="Folders and archives">
          {roots.map((root) => (
            <Root key={root.id} root={root} />
          ))}
        </ul>
      )}
      {canChange ? (
        <div className="sources-commands">
          <Button icon="plus" testId="add-folder" onClick={() => addSource('folder')}>
            Add folder…
          </Button>
          <Button icon="plus" testId="add-archive" onClick={() => addSource('archive')}>
            Add archive…
          </Button>
        </div>
      ) : (
        <p className="dialog-help">
          Add them on the command line, because a page must not read any file of the machine:{' '}
          <code>leanscope serve --source FOLDER --source LIBRARY-sources.jar</code>
        </p>
      )}
      <h3>JDKs with sources</h3>
      {jdks.length === 0 ? (
        <p className="dialog-help">None was found: no JDK of this machine has a src.zip.</p>
      ) : (
        <ul className="sources-list" aria-label="JDKs with sources">
          {jdks.map(({ name, folder }) => (
            <li key={folder}>
              <span className="sources-kind">{name}</span>
              <span className="sources-path">{folder}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const KINDS = { folder: 'Folder', archive: 'Archive', missing: 'Not there' } as const;

function Root({ root: { id, path, kind, isOfCommandLine } }: { readonly root: SourceRootEntry }): ReactNode {
  return (
    <li>
      <span className="sources-kind" data-missing={kind === 'missing' ? '' : undefined}>
        {KINDS[kind]}
      </span>
      <span className="sources-path">{path}</span>
      {isOfCommandLine ? (
        <span className="sources-note">this run only</span>
      ) : (
        <Button icon="close" label={`Remove ${path}`} onClick={() => removeSource(id)} />
      )}
    </li>
  );
}

function Editors({ settings }: { readonly settings: SourceSettings }): ReactNode {
  const { editors, editor, canChange } = settings;
  const selectId = useId();
  return (
    <>
      <h3>Editor</h3>
      {editors.length === 0 ? (
        <p className="dialog-help">No editor was found that opens a file at a line.</p>
      ) : (
        <div className="sources-editor">
          <label htmlFor={selectId}>Open files with</label>
          <span className="select">
            <select id={selectId} value={editor} onChange={(event) => chooseEditor(event.target.value)}>
              {editors.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </span>
          <code>{editors.find(({ id }) => id === editor)?.command}</code>
        </div>
      )}
      {canChange ? (
        <OwnCommand known={editors.find(({ id }) => id === 'custom')?.command ?? ''} />
      ) : (
        <p className="dialog-help">
          Another one is an option:{' '}
          <code>leanscope serve --editor &quot;code -g {'{file}:{line}'}&quot;</code>
        </p>
      )}
    </>
  );
}

/** The user's own command. The host asks for confirmation in a dialog of the system. */
function OwnCommand({ known }: { readonly known: string }): ReactNode {
  const [command, setCommand] = useState(known);
  const inputId = useId();
  function use(event: SyntheticEvent): void {
    event.preventDefault();
    if (command.trim() !== '') setEditor(command.trim());
  }
  return (
    <form className="sources-editor" onSubmit={use}>
      <label htmlFor={inputId}>Own command</label>
      <input
        id={inputId}
        type="text"
        className="text-field"
        spellCheck={false}
        autoComplete="off"
        placeholder="code -g {file}:{line}"
        value={command}
        onChange={(event) => setCommand(event.target.value)}
      />
      <button type="submit" className="button" disabled={command.trim() === ''}>
        Use
      </button>
    </form>
  );
}
