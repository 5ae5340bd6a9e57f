import type { ReactNode } from 'react';
import type { AttachProgress, JvmEntry, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { uptimeText } from '../../shared/text/format-value.ts';
import { attachTo, followRecording, recordJvm } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { JvmAgentPanel } from './JvmAgentPanel.tsx';

interface JvmRowProps {
  readonly jvm: JvmEntry;
  /** The row that Tab reaches. */
  readonly isEntered: boolean;
  readonly onEnter: (jvm: JvmId) => void;
}

/** A JVM: a click attaches to it. Below it is what became of that, or why it is not possible. */
export function JvmRow({ jvm, isEntered, onEnter }: JvmRowProps): ReactNode {
  const progress = useWindow((state) => state.jvms.progress[jvm.id]);
  const { id, pid, main, commandLine, version, user, uptime, cpu, obstacle, note, agent, isOpen } = jvm;
  const canAttach = obstacle === undefined && progress?.state !== 'attaching';
  return (
    <li>
      <button
        type="button"
        className="jvm"
        data-testid="jvm"
        data-pid={pid}
        title={commandLine}
        aria-disabled={!canAttach}
        tabIndex={isEntered ? 0 : -1}
        onFocus={() => onEnter(id)}
        onClick={() => {
          if (canAttach) attachTo(jvm);
        }}
      >
        <span className="jvm-name">
          <ElidedText className="jvm-main" text={main} />
          <span className="jvm-pid">{pid}</span>
          {isOpen && <span className="jvm-open">open</span>}
        </span>
        <span className="jvm-version">{version === undefined ? 'Java' : `Java ${version}`}</span>
        <span className="jvm-user">{user}</span>
        <span className="jvm-uptime">
          <span className="unseen">running for </span>
          {uptimeText(uptime)}
        </span>
        <span className="jvm-cpu">{Math.round(cpu * 100)} % CPU</span>
        {obstacle !== undefined && <span className="jvm-note">Cannot attach: {obstacle}</span>}
        {note !== undefined && <span className="jvm-note">{note}</span>}
      </button>
      <Progress jvm={id} progress={progress} />
      {agent !== undefined && <JvmAgentPanel jvm={id} main={main} agent={agent} />}
    </li>
  );
}

function Progress({
  jvm,
  progress,
}: {
  readonly jvm: JvmId;
  readonly progress: AttachProgress | undefined;
}): ReactNode {
  switch (progress?.state) {
    case 'attaching':
      return (
        <p className="jvm-note" role="status">
          Attaching…
        </p>
      );
    case 'failed':
      return (
        <p className="jvm-note jvm-problem" role="alert">
          {progress.text}
        </p>
      );
    case 'recorded':
      return (
        <div className="jvm-note" role="group" aria-label="Recordings of this JVM">
          <p>
            This JVM is being recorded already. Following shows all that it has recorded to the disk and still
            has there, also of other recordings; Leanscope never stops a recording that it follows. While
            another recording runs, all recordings have the events of all settings together, and cost as much.
          </p>
          <div className="jvm-choices">
            {progress.recordings.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                className="button"
                data-testid="follow-recording"
                onClick={() => followRecording(jvm, id)}
              >
                Follow “{name}”
              </button>
            ))}
            <button
              type="button"
              className="button"
              data-testid="record-anyway"
              onClick={() => recordJvm(jvm, true)}
            >
              Start another recording
            </button>
          </div>
        </div>
      );
    default:
      return null;
  }
}
