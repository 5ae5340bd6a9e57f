import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { type PageOptions, WHOLE_SCOPE } from '../../shared/export/page-options.ts';
import type { MergedThreads } from '../../shared/facts/choice.ts';
import { formatQuantity } from '../../shared/text/format-value.ts';
import { closeDialog } from '../store/actions/actions.ts';
import { exportPage } from '../store/export-view.ts';
import { mergeable, readLogs, MOST_MERGE_NAME_CHARACTERS } from '../store/state/merged-logs.ts';
import { hasSampleTimes } from '../store/state/selectors.ts';
import { answerClosing, closingLogs, mergeLogs, unsavedRecordings } from '../store/actions/tab-actions.ts';
import { tabNames } from '../store/state/log-names.ts';
import type { LogKey, LogView } from '../store/state/window-state.ts';
import { useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Check, DialogForm, FORM_HELP, takesFocus, TextField } from '../widgets/Form.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { NameOfTab, placeOf } from './use-log-menu.tsx';

/** Asks what becomes of recordings that are not saved, before their logs are closed. */
export function ClosingQuestion(): ReactNode {
  const text = useWindow((state) => {
    const unsaved = unsavedRecordings(state, closingLogs(state));
    const runs = unsaved.some((log) => state.jvms.recordings[log] === 'running');
    const [first] = unsaved;
    const name = readLogs(state).find(({ hostLog }) => hostLog === first)?.name;
    const what =
      unsaved.length === 1 && name !== undefined
        ? `The recording of ${name}`
        : formatQuantity(unsaved.length, 'recording');
    const verb = unsaved.length === 1 ? 'is' : 'are';
    return `${what} ${verb} not saved.${runs ? ' Closing ends what still runs.' : ''}`;
  });
  return (
    <DialogForm
      submit="Save…"
      testId="save-and-close"
      otherwise={
        <Button testId="discard" onClick={() => answerClosing('discard')}>
          Discard
        </Button>
      }
      onSubmit={() => answerClosing('save')}
    >
      <p>{text}</p>
      <p className="dialog-help">
        A discarded recording can be opened from the recent files until five newer ones were discarded.
      </p>
    </DialogForm>
  );
}

const THREADS = [
  { value: 'groups', text: 'By log', hint: 'Names of threads begin with the name of their log' },
  { value: 'together', text: 'Together', hint: 'Threads with the same name are one, also across logs' },
] as const;

/** Shows several logs as one. `first`: the one that has the focus. */
export function MergeForm({ first }: { readonly first: LogKey }): ReactNode {
  const logs = useWindow((state) => state.logs);
  const offered = mergeable(logs);
  const names = tabNames(logs);
  const [left, setLeft] = useState<readonly LogKey[]>([]);
  const [name, setName] = useState('');
  const [threads, setThreads] = useState<MergedThreads>('groups');
  const chosen = offered.filter(({ key }) => !left.includes(key));
  const isEnough = chosen.length > 1;

  function apply(): void {
    if (!isEnough) return;
    // The tabs have the focus again when one is added.
    flushSync(() => closeDialog('merge'));
    mergeLogs(chosen, name, threads);
  }
  return (
    <DialogForm
      help="Shows several logs of one system as one profile, in a new tab. It grows while any of the logs grows."
      submit="Merge"
      testId="merge-apply"
      disabled={!isEnough}
      problem={isEnough ? undefined : 'Choose at least two logs.'}
      onSubmit={apply}
    >
      <fieldset aria-describedby={FORM_HELP}>
        <legend>Logs</legend>
        <ul className="dialog-list">
          {offered.map((log) => (
            <li key={log.key}>
              <Check
                tip={placeOf(log)}
                checked={!left.includes(log.key)}
                ref={log.key === first ? takesFocus : undefined}
                onCheck={(isOn) => setLeft(isOn ? left.filter((key) => key !== log.key) : [...left, log.key])}
              >
                <span className="cut">
                  <NameOfTab {...names[logs.indexOf(log)]} />
                </span>
              </Check>
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="form mid">
        <label htmlFor="merge-name">Name</label>
        <TextField
          id="merge-name"
          maxLength={MOST_MERGE_NAME_CHARACTERS}
          placeholder="Chosen from the names of the logs"
          value={name}
          testId="merge-name"
          onText={setName}
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
    </DialogForm>
  );
}

interface PageOptionsProps {
  readonly log: LogView;
  readonly isCompared: boolean;
}

/** Chooses the parts of a page to send. */
export function PageOptionsForm({ log, isCompared }: PageOptionsProps): ReactNode {
  const [options, setOptions] = useState<PageOptions>(WHOLE_SCOPE);
  const [prefixes, setPrefixes] = useState('');
  const change = (changed: Partial<PageOptions>): void => setOptions({ ...options, ...changed });

  function apply(): void {
    closeDialog('page');
    void exportPage({ ...options, anonymous: prefixes.split(/[\s,]+/).filter(Boolean) }, isCompared);
  }
  return (
    <DialogForm
      help="One HTML file with this window and the profile. It opens in any browser, without a network, and in Leanscope. It has no arguments of the JVM, no environment and no paths."
      submit="Save"
      testId="page-save"
      onSubmit={apply}
    >
      <div className="column">
        <label className="field">
          Note to the reader
          <textarea
            className="text-field"
            rows={2}
            ref={takesFocus}
            value={options.note}
            data-testid="page-note"
            onChange={(event) => change({ note: event.target.value })}
          />
        </label>
        <label className="field">
          Replace the names of packages, such as com.acme
          <TextField placeholder="com.acme" value={prefixes} testId="page-anonymous" onText={setPrefixes} />
        </label>
        {!isCompared && (
          <Check
            checked={options.include === 'all'}
            onCheck={(isOn) => change({ include: isOn ? 'all' : 'scope' })}
          >
            Samples outside of the scope, too
          </Check>
        )}
        <Check checked={options.threads} onCheck={(threads) => change({ threads })}>
          Threads
        </Check>
        {hasSampleTimes(log) && (
          <Check checked={options.times} onCheck={(times) => change({ times })}>
            Times of samples
          </Check>
        )}
      </div>
    </DialogForm>
  );
}
