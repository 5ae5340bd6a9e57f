import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  AGENT_OPTIONS,
  type AgentChanges,
  type AgentKey,
  type AgentState,
  hasSettings,
  MOST_AGENT_COMMAND_BYTES,
} from '../../shared/agent/agent-options.ts';
import type { AgentCommand } from '../../shared/protocol/client-messages.ts';
import type { AttachProgress, JvmAgent, JvmEntry, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { uptimeText } from '../../shared/text/format-value.ts';
import { attachTo, controlAgent, recordJvm } from '../store/actions/jvm-actions.ts';
import type { AgentView } from '../store/state/jvms-view.ts';
import { useWindow, send } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { TextField } from '../widgets/Form.tsx';

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
        <span className="jvm-name line">
          <ElidedText className="jvm-main" text={main} />
          <span className="jvm-pid cut dim numbers">{pid}</span>
          {isOpen && <span className="jvm-open">open</span>}
        </span>
        <span className="jvm-version cut dim numbers">
          {version === undefined ? 'Java' : `Java ${version}`}
        </span>
        <span className="jvm-user cut dim numbers">{user}</span>
        <span className="jvm-uptime cut dim numbers">
          <span className="unseen">running for </span>
          {uptimeText(uptime)}
        </span>
        <span className="jvm-cpu cut dim numbers">{Math.round(cpu * 100)} % CPU</span>
        {obstacle !== undefined && <span className="jvm-note dim">Cannot attach: {obstacle}</span>}
        {note !== undefined && <span className="jvm-note dim">{note}</span>}
      </button>
      <Progress jvm={id} progress={progress} />
      {agent !== undefined && <JvmAgentPanel jvm={id} main={main} agent={agent} />}
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

/** While the agent is asked nothing is disabled, only without effect: a disabled element loses the focus. */
export function AgentControls({ jvm, view }: AgentControlsProps): ReactNode {
  useEffect(() => controlAgent(jvm, { do: 'status' }), [jvm]);
  const { agent, problem, isAsked = true } = view ?? {};
  const place = useRef<HTMLDivElement>(null);
  const isKnown = agent !== undefined;
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [isKnown]);
  const ask = (command: AgentCommand) => () => {
    if (!isAsked) controlAgent(jvm, command);
  };
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
        {agent !== undefined && (
          <Button
            aria-disabled={isAsked}
            testId="agent-run"
            onClick={ask({ do: agent.isSampling ? 'stop' : 'start' })}
          >
            {agent.isSampling ? 'Stop sampling' : 'Start sampling'}
          </Button>
        )}
        <Button aria-disabled={isAsked} onClick={ask({ do: 'status' })}>
          Ask again
        </Button>
      </div>
      {agent !== undefined &&
        (hasSettings(agent) ? (
          <AgentSettings
            agent={agent}
            isAsked={isAsked}
            onSet={(changes) => controlAgent(jvm, { do: 'set', changes })}
          />
        ) : (
          <p>This agent is from before its settings could be changed while it runs.</p>
        ))}
    </div>
  );
}

interface AgentSettingsProps {
  readonly agent: AgentState;
  readonly isAsked: boolean;
  readonly onSet: (changes: AgentChanges) => void;
}

/** The settings of the agent from its next start on. */
function AgentSettings({ agent, isAsked, onSet }: AgentSettingsProps): ReactNode {
  const [{ shown, texts }, setForm] = useState(() => ({ shown: agent, texts: textsOf(agent) }));
  // The form is not created anew, so that the focus and what was typed into other fields stay.
  if (shown !== agent) setForm({ shown: agent, texts: textsAfter(texts, shown, agent) });
  const { changes, problem } = changesOf(agent, texts);
  const id = useId();
  const why = agent.isSampling ? 'It ignores settings while it samples: stop it first.' : problem;
  const hasChanges = problem === undefined && Object.keys(changes).length > 0;
  const canSet = hasChanges && !agent.isSampling && !isAsked;
  return (
    <form
      className="agent-settings line wrap"
      aria-describedby={`${id}-why`}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSet) onSet(changes);
      }}
    >
      {AGENT_FIELDS.filter((field) => agent[field] !== undefined).map((field) => {
        const { name, unit } = AGENT_OPTIONS.find(({ key }) => key === field) ?? { name: field };
        return (
          <label key={field} className={field === 'logPath' ? 'agent-path' : undefined}>
            {name}
            {unit !== undefined && `, ${unit}`}
            <TextField
              inputMode={field === 'logPath' ? undefined : 'numeric'}
              disabled={agent.isSampling}
              value={texts[field]}
              testId={`set-${field}`}
              onText={(text) => setForm({ shown, texts: { ...texts, [field]: text } })}
            />
          </label>
        );
      })}
      <button type="submit" className="button" aria-disabled={!canSet} data-testid="agent-set">
        Set
      </button>
      <p id={`${id}-why`} role="status" className={problem === undefined ? 'dim' : 'wrong'}>
        {why ?? 'Used from the next start on. A start empties the log.'}
      </p>
    </form>
  );
}

/** Settings that the control port takes. */
const AGENT_FIELDS = [
  'intervalMin',
  'intervalMax',
  'maxFrames',
  'logPath',
] as const satisfies readonly AgentKey[];
type AgentField = (typeof AGENT_FIELDS)[number];

/** The texts of the fields. */
type AgentTexts = Readonly<Record<AgentField, string>>;

export function textsOf(agent: AgentState): AgentTexts {
  const texts = AGENT_FIELDS.map((field) => [field, textOf(agent, field)] as const);
  return Object.fromEntries(texts) as Record<AgentField, string>;
}

/** Empty for what the agent does not know. */
function textOf(agent: AgentState, field: AgentField): string {
  return String(agent[field] ?? '');
}

/** The texts after an answer of the agent: a setting that it has taken replaces the typed one. */
export function textsAfter(typed: AgentTexts, before: AgentState, after: AgentState): AgentTexts {
  const changed = AGENT_FIELDS.filter((field) => before[field] !== after[field]);
  return { ...typed, ...Object.fromEntries(changed.map((field) => [field, textOf(after, field)])) };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The changed settings, or a sentence on a mistake in them. */
export function changesOf(
  agent: AgentState,
  texts: AgentTexts,
): { readonly changes: AgentChanges; readonly problem: string | undefined } {
  const changes: Record<string, number | string> = {};
  const wrong = (problem: string) => ({ changes: {}, problem });
  for (const { key, name, kind, least = 0, most = Infinity } of AGENT_OPTIONS) {
    const field = AGENT_FIELDS.find((each) => each === key);
    if (field === undefined || texts[field].trim() === textOf(agent, field)) continue;
    const text = texts[field].trim();
    if (kind === 'number') {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
      if (!(number >= least && number <= most))
        return wrong(`${name} is a whole number from ${least} to ${most}.`);
      changes[key] = number;
    } else {
      if (text === '' || /\s/.test(text))
        return wrong(`${name}: the control port takes a path without blanks.`);
      const bytes = bytesOf(text);
      const room = MOST_AGENT_COMMAND_BYTES - bytesOf(`set ${key} `);
      if (bytes > room)
        return wrong(
          `${name}: the control port takes a path of at most ${room} bytes. This one has ${bytes}.`,
        );
      changes[key] = text;
    }
  }
  const { intervalMin = agent.intervalMin, intervalMax = agent.intervalMax } = changes as AgentChanges;
  return intervalMin !== undefined && intervalMax !== undefined && intervalMax < intervalMin
    ? wrong('The longest interval is shorter than the shortest.')
    : { changes, problem: undefined };
}
