import { type ReactNode, useId, useState } from 'react';
import type { SourceRootEntry, SourceSettings } from '../../shared/protocol/source-messages.ts';
import { useWindow, send } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { TextField } from '../widgets/Form.tsx';
import { Select } from '../widgets/Select.tsx';
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
  const { roots, jdks, canChange } = settings;
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
            <Root key={root.id} {...root} />
          ))}
        </ul>
      )}
      {canChange ? (
        <div className="line">
          {(['folder', 'archive'] as const).map((kind) => (
            <Button
              key={kind}
              icon="plus"
              testId={`add-${kind}`}
              onClick={() => send({ type: 'addSource', kind })}
            >
              Add {kind}…
            </Button>
          ))}
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
            <li key={folder} className="line">
              <span className="sources-kind dim">{name}</span>
              <span className="grow">{folder}</span>
            </li>
          ))}
        </ul>
      )}
      <Editors {...settings} />
    </>
  );
}

const KINDS = { folder: 'Folder', archive: 'Archive', missing: 'Not there' } as const;

function Root({ id, path, kind, isOfCommandLine }: SourceRootEntry): ReactNode {
  return (
    <li className="line">
      <span className={`sources-kind ${kind === 'missing' ? 'wrong' : 'dim'}`}>{KINDS[kind]}</span>
      <span className="grow">{path}</span>
      {isOfCommandLine ? (
        <span className="small dim">this run only</span>
      ) : (
        <Button
          icon="close"
          label={`Remove ${path}`}
          onClick={() => send({ type: 'removeSource', root: id })}
        />
      )}
    </li>
  );
}

function Editors({ editors, editor, canChange }: SourceSettings): ReactNode {
  return (
    <>
      <h3>Editor</h3>
      {editors.length === 0 ? (
        <p className="dialog-help">No editor was found that opens a file at a line.</p>
      ) : (
        <div className="sources-editor line wrap">
          <Select
            label="Open files with"
            choices={editors.map(({ id, name }) => ({ value: id, text: name }))}
            value={editor ?? ''}
            onChange={(chosen) => send({ type: 'chooseEditor', editor: chosen })}
          />
          <code>{editors.find(({ id }) => id === editor)?.command}</code>
        </div>
      )}
      {canChange ? (
        <OwnCommand known={editors.find(({ id }) => id === 'custom')?.command ?? ''} />
      ) : (
        <p className="dialog-help">
          Name another one when you start the server:{' '}
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
  return (
    <form
      className="sources-editor line wrap"
      onSubmit={(event) => {
        event.preventDefault();
        if (command.trim() !== '') send({ type: 'setEditor', command: command.trim() });
      }}
    >
      <label htmlFor={inputId}>Own command</label>
      <TextField
        id={inputId}
        className="grow"
        placeholder="code -g {file}:{line}"
        value={command}
        onText={setCommand}
      />
      <button type="submit" className="button" disabled={command.trim() === ''}>
        Use
      </button>
    </form>
  );
}
