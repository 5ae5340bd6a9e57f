import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AttachProgress, JvmAgent, JvmEntry, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { uptimeText } from '../../shared/text/format-value.ts';
import { attachTo, controlAgent, recordJvm } from '../store/actions/jvm-actions.ts';
import type { AgentView } from '../store/state/jvms-view.ts';
import { useWindow, send } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';

/** A JVM: a click attaches to it. Below it is what became of that, or why it is not possible. */
export function JvmRow({ jvm }: { readonly jvm: JvmEntry }): ReactNode {
  const progress = useWindow((state) => state.jvms.progress[jvm.id]);
  const { pid, main, commandLine, version, user, uptime, cpu, obstacle, note, agent, isOpen } = jvm;
  const canAttach = obstacle === undefined && progress?.state !== 'attaching';
  return (
    <li>
      <button
        type="button"
        className="jvm numbers"
        data-testid="jvm"
        data-pid={pid}
        title={commandLine}
        aria-disabled={!canAttach}
        onClick={() => {
          if (canAttach) attachTo(jvm);
        }}
      >
        <span className="jvm-name line">
          <ElidedText className="jvm-main" text={main} />
          <span className="dim">{pid}</span>
          {isOpen && <span className="jvm-open">open</span>}
        </span>
        <span className="jvm-version cut dim">{version === undefined ? 'Java' : `Java ${version}`}</span>
        <span className="jvm-user cut dim">{user}</span>
        <span className="jvm-uptime cut dim">
          <span className="unseen">running for </span>
          {uptimeText(uptime)}
        </span>
        <span className="jvm-cpu cut dim">{Math.round(cpu * 100)} % CPU</span>
        {obstacle !== undefined && <span className="jvm-note dim">Cannot attach: {obstacle}</span>}
        {note !== undefined && <span className="jvm-note dim">{note}</span>}
      </button>
      <Progress jvm={jvm.id} progress={progress} />
      {agent !== undefined && <JvmAgentPanel jvm={jvm.id} main={main} agent={agent} />}
    </li>
  );
}

interface ProgressProps {
  readonly jvm: JvmId;
  readonly progress: AttachProgress | undefined;
}

function Progress({ jvm, progress }: ProgressProps): ReactNode {
  switch (progress?.state) {
    case 'attaching':
      return (
        <p className="jvm-note mid" role="status">
          Attaching…
        </p>
      );
    case 'failed':
      return (
        <p className="jvm-note wrong" role="alert">
          {progress.text}
        </p>
      );
    case 'recorded':
      return (
        <div className="jvm-note mid" role="group" aria-label="Recordings of this JVM">
          <p>
            This JVM is being recorded already. Following shows all that it has recorded to the disk and still
            has there, also of other recordings; Leanscope never stops a recording that it follows. While
            another recording runs, all recordings have the events of all settings together, and cost as much.
          </p>
          <div className="jvm-choices line wrap">
            {progress.recordings.map(({ id, name }) => (
              <Button
                key={id}
                className="cut"
                testId="follow-recording"
                onClick={() => send({ type: 'followRecording', jvm, recording: id })}
              >
                Follow “{name}”
              </Button>
            ))}
            <Button testId="record-anyway" onClick={() => recordJvm(jvm, true)}>
              Start another recording
            </Button>
          </div>
        </div>
      );
    default:
      return null;
  }
}

interface JvmAgentPanelProps {
  readonly jvm: JvmId;
  /** Main class or jar of the JVM. */
  readonly main: string;
  readonly agent: JvmAgent;
}

/** Honest Profiler's agent in a JVM: its log, and its control port. */
function JvmAgentPanel({ jvm, main, agent: { log, hasControl } }: JvmAgentPanelProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const view = useWindow((state) => state.jvms.agents[jvm]);
  return (
    <div className="jvm-agent line wrap mid" role="group" aria-label={`Honest Profiler’s agent in ${main}`}>
      <span className="cut" title={log}>
        Honest Profiler’s agent{log === undefined ? ', log not known' : `: ${log}`}
      </span>
      <Button
        className="button-small"
        testId="open-agent-log"
        // A log that is not known yet may be by its control port.
        disabled={log === undefined && !hasControl}
        onClick={() => send({ type: 'openAgentLog', jvm })}
      >
        Open its log
      </Button>
      {hasControl && (
        <Button
          className="button-small"
          aria-expanded={isOpen}
          testId="control-agent"
          onClick={() => setOpen(!isOpen)}
        >
          Control…
        </Button>
      )}
      {isOpen && <AgentControls jvm={jvm} view={view} />}
    </div>
  );
}

interface AgentControlsProps {
  readonly jvm: JvmId;
  /** Undefined before it was asked. */
  readonly view: AgentView | undefined;
}

/**
 * Starts and stops the agent; a command sets it. While it is asked, the button is not disabled, only without effect: a
 * disabled element loses the focus.
 */
export function AgentControls({ jvm, view }: AgentControlsProps): ReactNode {
  useEffect(() => controlAgent(jvm, 'status'), [jvm]);
  const { agent, problem, isAsked = true } = view ?? {};
  const place = useRef<HTMLDivElement>(null);
  const isKnown = agent !== undefined;
  useEffect(() => {
    // Some browsers return a promise, which React would take for what undoes the effect.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [isKnown]);
  return (
    <div ref={place} className="agent-controls" data-testid="agent-controls" aria-busy={isAsked}>
      <p role="status" data-testid="agent-status">
        {agent === undefined
          ? problem === undefined && 'Asking the agent…'
          : `${agent.isSampling ? 'Sampling into' : 'Stopped; its log is'} ${agent.logPath}`}
      </p>
      {problem !== undefined && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      <div className="jvm-choices line wrap">
        <Button
          aria-disabled={isAsked}
          testId="agent-run"
          onClick={() => {
            if (!isAsked)
              controlAgent(jvm, agent === undefined ? 'status' : agent.isSampling ? 'stop' : 'start');
          }}
        >
          {agent === undefined ? 'Ask again' : agent.isSampling ? 'Stop sampling' : 'Start sampling'}
        </Button>
        <span>
          Its interval, frames and log are set by <code>leanscope agent JVM set</code>
        </span>
      </div>
    </div>
  );
}
