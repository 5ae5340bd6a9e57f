import { flushSync } from 'react-dom';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { MergedThreads } from '../../shared/facts/choice.ts';
import { mergeable } from '../store/merged-logs.ts';
import { closeDialog } from '../store/actions.ts';
import { meantLogs, mergeLogs, MOST_MERGE_NAME_CHARACTERS } from '../store/tab-actions.ts';
import { tabNames } from '../store/log-names.ts';
import type { LogKey, LogView, WindowState } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { placeOf } from './use-log-menu.tsx';
import './merge.css';

const THREADS = [
  { value: 'groups', text: 'By log', hint: 'Names of threads begin with the name of their log' },
  { value: 'together', text: 'Together', hint: 'Threads with the same name are one, also across logs' },
] as const;

/** Shows several logs as one. */
export function MergeForm(): ReactNode {
  const logs = useWindow((state) => state.logs);
  const first = useWindow(({ dialog }) => (dialog?.kind === 'merge' ? dialog.log : undefined));
  const offered = mergeable(logs);
  const names = tabNames(logs);
  const [left, setLeft] = useState<ReadonlySet<LogKey>>(() => notChosen(useWindow.getState()));
  const [name, setName] = useState('');
  const [threads, setThreads] = useState<MergedThreads>('groups');
  const helpId = useId();
  const chosen = offered.filter(({ key }) => !left.has(key));
  const isEnough = chosen.length > 1;

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    if (!isEnough) return;
    // The tabs have the focus again when one is added.
    flushSync(() => closeDialog('merge'));
    mergeLogs(chosen, name, threads);
  }

  function toggle(key: LogKey): void {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  }

  return (
    <form onSubmit={apply}>
      <p className="dialog-help" id={helpId}>
        Shows several logs of one system as one profile, in a new tab. It grows while any of the logs grows.
      </p>
      <fieldset aria-describedby={helpId}>
        <legend>Logs</legend>
        <ul>
          {offered.map((log) => (
            <li key={log.key}>
              <label title={placeOf(log)}>
                <input
                  type="checkbox"
                  checked={!left.has(log.key)}
                  ref={log.key === first ? takesFocus : undefined}
                  onChange={() => toggle(log.key)}
                />
                <LogName log={log} apart={names[logs.indexOf(log)].apart} />
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="merge-fields">
        <label htmlFor={`${helpId}-name`}>Name</label>
        <input
          id={`${helpId}-name`}
          type="text"
          className="text-field"
          spellCheck={false}
          autoComplete="off"
          maxLength={MOST_MERGE_NAME_CHARACTERS}
          placeholder="Chosen from the names of the logs"
          value={name}
          data-testid="merge-name"
          onChange={(event) => setName(event.target.value)}
        />
        <span>Threads</span>
        <SegmentedControl<MergedThreads>
          label="Threads"
          choices={THREADS}
          value={threads}
          onChange={setThreads}
          testId="merge-threads"
        />
      </div>
      {offered.length < logs.length && <p className="dialog-help">Merged logs are not offered.</p>}
      <DialogCommands
        submit="Merge"
        testId="merge-apply"
        disabled={!isEnough}
        onCancel={() => closeDialog('merge')}
      >
        {!isEnough && (
          <span className="dialog-aside" role="status">
            Choose at least two logs.
          </span>
        )}
      </DialogCommands>
    </form>
  );
}

/** Logs that are not ticked at first: where several tabs are chosen, the others. */
function notChosen(state: WindowState): ReadonlySet<LogKey> {
  const { logs, dialog } = state;
  const chosen = dialog?.kind === 'merge' ? meantLogs(state, dialog.log) : [];
  const others = chosen.length > 1 ? logs.filter((log) => !chosen.includes(log)) : [];
  return new Set(others.map(({ key }) => key));
}

function LogName({ log, apart }: { readonly log: LogView; readonly apart: string }): ReactNode {
  return (
    <span className="merge-name">
      {log.label === '' ? log.name : log.label}
      {apart !== '' && <span className="merge-apart"> {apart}</span>}
    </span>
  );
}
