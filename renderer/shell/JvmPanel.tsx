import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { RECORDED_TYPES, type RecordedType } from '../../shared/facts/recording-choice.ts';
import type { JvmEntry } from '../../shared/protocol/jvm-messages.ts';
import type { Capabilities } from '../../shared/protocol/messages.ts';
import { prefer } from '../store/actions/actions.ts';
import { recordWith } from '../store/actions/jvm-actions.ts';
import { useWindow, send } from '../store/state/window-store.ts';
import { Check, TextField } from '../widgets/Form.tsx';
import { moveFocus } from '../widgets/move-focus.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { JvmRow } from './JvmRow.tsx';
import './jvms.css';

/** The JVMs of the host's machine, over a log. */
export function Attach(): ReactNode {
  const can = useWindow((state) => state.capabilities.jvms);
  return can === 'allowed' ? <JvmPanel takesFocus /> : <AttachHelp can={can} />;
}

/** Why no JVMs are listed, and what can be done. */
export function AttachHelp({ can }: { readonly can: Capabilities['jvms'] }): ReactNode {
  if (can === 'allowed') return null;
  return (
    <p className="attach-help mid">
      {can === 'option' ? (
        <>
          To attach to JVMs from this page, start the server with <code>leanscope serve --attach</code>, or
          name one in a terminal: <code>leanscope attach JVM</code>
        </>
      ) : (
        'Leanscope finds JVMs on Linux and macOS only. On Windows a JVM is attached to by native code, which it does not have. Flight recordings that jcmd or the JVM writes into files can be opened everywhere.'
      )}
    </p>
  );
}

/** The JVMs of the host's machine, to be recorded by a click, and what is recorded. `takesFocus`: the list does. */
export function JvmPanel({ takesFocus = false }: { readonly takesFocus?: boolean }): ReactNode {
  const list = useWindow((state) => state.jvms.list);
  useWatch();
  return (
    <div className="jvm-panel column" data-testid="jvms">
      {list === undefined || list.length === 0 ? (
        <p className="jvm-empty dim" role="status">
          {list === undefined
            ? 'Looking for JVMs…'
            : 'No JVM runs on this machine. A JVM that starts appears here.'}
        </p>
      ) : (
        <JvmRows all={list} takesFocus={takesFocus} />
      )}
      <AttachChoices />
    </div>
  );
}

/** The host makes lists only while the panel can be seen. */
function useWatch(): void {
  const isOpen = useWindow((state) => state.connection.state === 'open' && state.hostRun !== '');
  useEffect(() => {
    if (!isOpen) return;
    const update = (): void => send({ type: 'watchJvms', watch: !document.hidden });
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      send({ type: 'watchJvms', watch: false });
    };
  }, [isOpen]);
}

/** A longer list has a filter. */
const MOST_WITHOUT_FILTER = 8;

interface JvmRowsProps {
  readonly all: readonly JvmEntry[];
  readonly takesFocus: boolean;
}

function JvmRows({ all, takesFocus }: JvmRowsProps): ReactNode {
  const [text, setText] = useState('');
  const list = matchingJvms(all, text);
  const rows = useRef<HTMLUListElement>(null);
  /** Where the row with the focus is; -1 where none has it. */
  const focused = useRef(-1);
  useLayoutEffect(() => {
    // A JVM that ends takes its row out of the list: the next one gets the focus, which would be lost with the row.
    const buttons = rowsOf(rows.current);
    const at = buttons.findIndex((row) => row === document.activeElement);
    if (at >= 0) focused.current = at;
    else if (focused.current >= 0 && document.activeElement === document.body)
      buttons[Math.min(focused.current, buttons.length - 1)]?.focus();
  });
  useEffect(() => {
    // The dialog is open by the time that the first list comes.
    if (takesFocus) requestAnimationFrame(() => rowsOf(rows.current).at(0)?.focus());
  }, [takesFocus]);
  return (
    <>
      {(all.length > MOST_WITHOUT_FILTER || text !== '') && (
        <div className="jvm-filter line dim">
          <TextField
            type="search"
            placeholder="Find by name, argument, pid, version or user"
            aria-label="Find JVMs"
            testId="jvm-filter"
            value={text}
            onText={setText}
          />
          <span role="status">{`${list.length} of ${all.length}`}</span>
        </div>
      )}
      <ul
        ref={rows}
        className="jvm-list"
        aria-label="JVMs on this machine"
        onKeyDown={(event) => {
          const all = rowsOf(event.currentTarget);
          if (all.some((row) => row === event.target)) moveFocus(event, 'column', all);
        }}
        // React tells of no blur where it removes the row itself.
        onBlur={() => (focused.current = -1)}
      >
        {list.map((jvm) => (
          <JvmRow key={jvm.id} jvm={jvm} />
        ))}
      </ul>
    </>
  );
}

function rowsOf(list: HTMLUListElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.jvm') ?? [])];
}

/** The JVMs whose line or arguments contain all words of a text, in any case. Pure. */
export function matchingJvms(list: readonly JvmEntry[], text: string): readonly JvmEntry[] {
  const words = text.toLowerCase().split(/\s+/);
  return list.filter(({ pid, main, commandLine, version = '', user }) => {
    const line = `${pid} ${main} ${commandLine} ${version} ${user}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
}

const KINDS = [
  { value: 'flight', text: 'Record with JFR', hint: 'Follows a recording that the JVM makes' },
  {
    value: 'dumps',
    text: 'Sample by thread dumps',
    hint: 'Asks the JVM again and again what its threads do',
  },
] as const;

/** Chooses how a click on a JVM samples it. */
function AttachChoices(): ReactNode {
  const kind = useWindow((state) => state.preferences.attachWith);
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} className="jvm-attach-with column">
      <h3>What a click does</h3>
      <SegmentedControl
        label="Attach with"
        choices={KINDS}
        value={kind}
        onChange={(attachWith) => {
          prefer({ attachWith });
          // One has more fields than the other.
          requestAnimationFrame(() => place.current?.scrollIntoView({ block: 'nearest' }));
        }}
        testId="attach-with"
      />
      {kind === 'flight' ? (
        <RecordingFields />
      ) : (
        <p className="dim">
          For any HotSpot JVM: every 20 ms, or as often as 1 % of its time allows. Threads stop at a safepoint
          for a dump: a stack shows where its thread could stop, often the end of a loop or of a method.{' '}
          <code>leanscope attach JVM --with dumps</code> has options for interval, share, frames and threads.
        </p>
      )}
    </div>
  );
}

const SETTINGS = [
  { value: 'profile', text: 'Detailed', hint: 'The JDK’s settings “profile”: a sample every 10 or 20 ms' },
  {
    value: 'default',
    text: 'Low overhead',
    hint: 'The JDK’s settings “default”: fewer events, for long recordings',
  },
] as const;

const TYPES: Readonly<Record<RecordedType, readonly [text: string, hint: string]>> = {
  cpu: ['CPU', 'Execution samples, also of threads in native code'],
  'cpu-time': ['CPU time, from JDK 25', 'Samples by CPU time, JDK 25 and later, on Linux'],
  allocations: ['Allocations', 'Samples of allocated objects'],
  locks: ['Locks', 'Long monitor waits, parking and sleeping'],
};

/** Chooses the settings and sample types of the next recording. */
function RecordingFields(): ReactNode {
  const { settings, types } = useWindow((state) => state.preferences.record);
  return (
    <div className="line wrap" role="group" aria-label="What is recorded">
      <SegmentedControl
        label="Settings of the recording"
        choices={SETTINGS}
        value={settings}
        onChange={(value) => recordWith({ settings: value })}
        testId="record-settings"
      />
      {RECORDED_TYPES.map((type) => (
        <Check
          key={type}
          tip={TYPES[type][1]}
          checked={types.includes(type)}
          // A recording of nothing would show nothing.
          disabled={types.includes(type) && types.length === 1}
          testId={`record-${type}`}
          onCheck={(isOn) =>
            recordWith({
              types: RECORDED_TYPES.filter((each) => (each === type ? isOn : types.includes(each))),
            })
          }
        >
          {TYPES[type][0]}
        </Check>
      ))}
    </div>
  );
}
