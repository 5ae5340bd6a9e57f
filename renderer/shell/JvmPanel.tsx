import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  RECORDED_TYPES,
  type RecordedType,
  type RecordingSettingsName,
} from '../../shared/facts/recording-choice.ts';
import type { JvmEntry, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { prefer } from '../store/actions.ts';
import { recordWith, watchJvms } from '../store/jvm-actions.ts';
import type { AttachWith } from '../store/preferences.ts';
import { useWindow } from '../store/window-store.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { JvmRow } from './JvmRow.tsx';
import { SamplingFields } from './SamplingFields.tsx';
import './jvms.css';
import type { Capabilities } from '../../shared/protocol/messages.ts';

/** The JVMs of the host's machine, to be recorded by a click, and what is recorded. `takesFocus`: the list does. */
export function JvmPanel({ takesFocus = false }: { readonly takesFocus?: boolean }): ReactNode {
  const list = useWindow((state) => state.jvms.list);
  useWatch();
  return (
    <div className="jvm-panel" data-testid="jvms">
      {list === undefined ? (
        <p className="jvm-empty" role="status">
          Looking for JVMs…
        </p>
      ) : list.length === 0 ? (
        <p className="jvm-empty" role="status">
          No JVM runs on this machine. A JVM that starts appears here.
        </p>
      ) : (
        <JvmRows takesFocus={takesFocus} />
      )}
      <AttachChoices />
    </div>
  );
}

function JvmRows({ takesFocus }: { readonly takesFocus: boolean }): ReactNode {
  const all = useWindow((state) => state.jvms.list) ?? [];
  const [text, setText] = useState('');
  const list = matchingJvms(all, text);
  const [chosen, setChosen] = useState<JvmId>();
  const rows = useRef<HTMLUListElement>(null);
  const keepFocus = useFocusInList(rows);
  useEffect(() => {
    // The dialog is open by the time that the first list comes.
    if (takesFocus) requestAnimationFrame(() => rows.current?.querySelector<HTMLElement>('.jvm')?.focus());
  }, [takesFocus]);
  const entered = list.find(({ id }) => id === chosen) ?? list.at(0);
  return (
    <>
      {(all.length > MOST_WITHOUT_FILTER || text !== '') && (
        <JvmFilter text={text} shown={list} of={all.length} onChange={setText} />
      )}
      <ul
        ref={rows}
        className="jvm-list"
        aria-label="JVMs on this machine"
        onKeyDown={moveFocus}
        {...keepFocus}
      >
        {list.map((jvm) => (
          <JvmRow key={jvm.id} jvm={jvm} isEntered={jvm === entered} onEnter={setChosen} />
        ))}
      </ul>
    </>
  );
}

/** A JVM that ends takes its row out of the list: the next one gets the focus, which would be lost with the row. */
function useFocusInList(list: RefObject<HTMLUListElement | null>): { readonly onBlur: () => void } {
  /** Where the row with the focus is; -1 where none has it. */
  const focused = useRef(-1);
  useLayoutEffect(() => {
    const rows = rowsOf(list.current);
    const at = rows.findIndex((row) => row === document.activeElement);
    if (at >= 0) focused.current = at;
    else if (focused.current >= 0 && document.activeElement === document.body)
      rows[Math.min(focused.current, rows.length - 1)]?.focus();
  });
  // React tells of no blur where it removes the row itself.
  return { onBlur: () => (focused.current = -1) };
}

function rowsOf(list: HTMLUListElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.jvm') ?? [])];
}

/** A longer list has a filter. */
const MOST_WITHOUT_FILTER = 8;

function JvmFilter({
  text,
  shown,
  of,
  onChange,
}: {
  readonly text: string;
  readonly shown: readonly JvmEntry[];
  readonly of: number;
  readonly onChange: (text: string) => void;
}): ReactNode {
  return (
    <div className="jvm-filter">
      <input
        type="text"
        spellCheck={false}
        placeholder="Find by name, argument, pid, version or user"
        aria-label="Find JVMs"
        data-testid="jvm-filter"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          // The dialog stays open.
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      <span role="status">
        {text === '' ? `${of} JVMs` : shown.length === 0 ? 'No JVM matches' : `${shown.length} of ${of}`}
      </span>
    </div>
  );
}

/** Arrows, Home and End move between the JVMs. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const rows = rowsOf(event.currentTarget);
  const at = rows.findIndex((row) => row === document.activeElement);
  const last = rows.length - 1;
  const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[
    event.key
  ];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  rows[to].focus();
}

/** The host makes lists only while the panel can be seen. */
function useWatch(): void {
  const isOpen = useWindow((state) => state.connection.state === 'open' && state.hostRun !== '');
  useEffect(() => {
    if (!isOpen) return;
    const update = (): void => watchJvms(!document.hidden);
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      watchJvms(false);
    };
  }, [isOpen]);
}

const KINDS: readonly { readonly value: AttachWith; readonly text: string; readonly hint: string }[] = [
  { value: 'flight', text: 'Record with JFR', hint: 'Follows a recording that the JVM makes' },
  {
    value: 'dumps',
    text: 'Sample by thread dumps',
    hint: 'Asks the JVM again and again what its threads do',
  },
];

/** Chooses how a click on a JVM samples it. */
function AttachChoices(): ReactNode {
  const kind = useWindow((state) => state.preferences.attachWith);
  return (
    <div className="jvm-attach-with">
      <h3>What a click does</h3>
      <SegmentedControl
        label="Attach with"
        choices={KINDS}
        value={kind}
        onChange={(attachWith) => prefer({ attachWith })}
        testId="attach-with"
      />
      {kind === 'flight' ? (
        <RecordWith />
      ) : (
        <div className="jvm-record" role="group" aria-label="How threads are sampled">
          <SamplingFields />
        </div>
      )}
    </div>
  );
}

const SETTINGS: readonly {
  readonly value: RecordingSettingsName;
  readonly text: string;
  readonly hint: string;
}[] = [
  { value: 'profile', text: 'Detailed', hint: 'The JDK’s settings “profile”: a sample every 10 or 20 ms' },
  {
    value: 'default',
    text: 'Low overhead',
    hint: 'The JDK’s settings “default”: fewer events, for long recordings',
  },
];

const TYPES: Readonly<Record<RecordedType, { readonly text: string; readonly hint: string }>> = {
  cpu: { text: 'CPU', hint: 'Execution samples, also of threads in native code' },
  'cpu-time': { text: 'CPU time, from JDK 25', hint: 'Samples by CPU time, JDK 25 and later, on Linux' },
  allocations: { text: 'Allocations', hint: 'Samples of allocated objects' },
  locks: { text: 'Locks', hint: 'Long monitor waits, parking and sleeping' },
};

/** Chooses the settings and sample types of the next recording. */
function RecordWith(): ReactNode {
  const { settings, types } = useWindow((state) => state.preferences.record);
  return (
    <div className="jvm-record" role="group" aria-label="What is recorded">
      <SegmentedControl
        label="Settings of the recording"
        choices={SETTINGS}
        value={settings}
        onChange={(value) => recordWith({ settings: value })}
        testId="record-settings"
      />
      {RECORDED_TYPES.map((type) => {
        const isOn = types.includes(type);
        return (
          <label key={type} className="jvm-type" data-tip={TYPES[type].hint}>
            <input
              type="checkbox"
              checked={isOn}
              // A recording of nothing would show nothing.
              disabled={isOn && types.length === 1}
              data-testid={`record-${type}`}
              onChange={() =>
                recordWith({
                  types: RECORDED_TYPES.filter((each) => types.includes(each) !== (each === type)),
                })
              }
            />
            {TYPES[type].text}
          </label>
        );
      })}
    </div>
  );
}

/** Why no JVMs are listed, and what can be done. */
export function AttachHelp({ can }: { readonly can: Capabilities['jvms'] }): ReactNode {
  switch (can) {
    case 'allowed':
      return null;
    case 'option':
      return (
        <p className="attach-help">
          To attach to JVMs from this page, start the server with <code>leanscope serve --attach</code>
        </p>
      );
    case undefined:
      return (
        <p className="attach-help">
          Leanscope finds JVMs on Linux and macOS only. On Windows a JVM is attached to by native code, which
          it does not have. Flight recordings that jcmd or the JVM writes into files can be opened everywhere.
        </p>
      );
  }
}

/** The JVMs of the host's machine, over a log. */
export function Attach(): ReactNode {
  const can = useWindow((state) => state.capabilities.jvms);
  return can === 'allowed' ? <JvmPanel takesFocus /> : <AttachHelp can={can} />;
}

/** The JVMs whose line or arguments contain all words of a text, in any case. Pure. */
export function matchingJvms(list: readonly JvmEntry[], text: string): readonly JvmEntry[] {
  const words = text.toLowerCase().split(/\s+/);
  return list.filter(({ pid, main, commandLine, version = '', user }) => {
    const line = `${pid} ${main} ${commandLine} ${version} ${user}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
}
