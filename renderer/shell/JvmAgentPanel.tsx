import { type ReactNode, type SyntheticEvent, useEffect, useId, useState } from 'react';
import { AGENT_OPTIONS, type AgentKey } from '../../shared/agent/agent-options.ts';
import type { AgentChanges, AgentState } from '../../shared/agent/agent-state.ts';
import type { JvmAgent, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { controlAgent, openAgentLog } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';

interface JvmAgentPanelProps {
  readonly jvm: JvmId;
  /** Main class or jar of the JVM. */
  readonly main: string;
  readonly agent: JvmAgent;
}

/** Honest Profiler's agent in a JVM: its log, and its control port. */
export function JvmAgentPanel({ jvm, main, agent: { log, hasControl } }: JvmAgentPanelProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="jvm-agent" role="group" aria-label={`Honest Profiler’s agent in ${main}`}>
      <span className="jvm-agent-log" title={log}>
        Honest Profiler’s agent{log === undefined ? ', log not known' : `: ${log}`}
      </span>
      <button
        type="button"
        className="button button-small"
        data-testid="open-agent-log"
        // A log that is not known yet may be by its control port.
        disabled={log === undefined && !hasControl}
        onClick={() => openAgentLog(jvm)}
      >
        Open its log
      </button>
      {hasControl && (
        <button
          type="button"
          className="button button-small"
          aria-expanded={isOpen}
          data-testid="control-agent"
          onClick={() => setOpen(!isOpen)}
        >
          Control…
        </button>
      )}
      {isOpen && <AgentControls jvm={jvm} />}
    </div>
  );
}

function AgentControls({ jvm }: { readonly jvm: JvmId }): ReactNode {
  const view = useWindow((state) => state.jvms.agents[jvm]);
  useEffect(() => controlAgent(jvm, { do: 'status' }), [jvm]);
  const { agent, problem, isAsked = true } = view ?? {};
  return (
    <div className="agent-controls" data-testid="agent-controls" aria-busy={isAsked}>
      <p role="status" data-testid="agent-status">
        {agent === undefined
          ? problem === undefined && 'Asking the agent…'
          : `${agent.isSampling ? 'Sampling into' : 'Stopped; its log is'} ${agent.logPath}`}
      </p>
      {problem !== undefined && (
        <p className="jvm-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="jvm-choices">
        {agent !== undefined && (
          <button
            type="button"
            className="button"
            disabled={isAsked}
            data-testid="agent-run"
            onClick={() => controlAgent(jvm, { do: agent.isSampling ? 'stop' : 'start' })}
          >
            {agent.isSampling ? 'Stop sampling' : 'Start sampling'}
          </button>
        )}
        <button
          type="button"
          className="button"
          disabled={isAsked}
          onClick={() => controlAgent(jvm, { do: 'status' })}
        >
          Ask again
        </button>
      </div>
      {agent !== undefined && (
        <AgentSettings
          // What the agent has taken replaces what was typed.
          key={JSON.stringify(agent)}
          agent={agent}
          isAsked={isAsked}
          onSet={(changes) => controlAgent(jvm, { do: 'set', changes })}
        />
      )}
    </div>
  );
}

const FIELDS = ['intervalMin', 'intervalMax', 'maxFrames', 'logPath'] as const satisfies readonly AgentKey[];
type Field = (typeof FIELDS)[number];

/** What the agent uses from its next start on. */
function AgentSettings({
  agent,
  isAsked,
  onSet,
}: {
  readonly agent: AgentState;
  readonly isAsked: boolean;
  readonly onSet: (changes: AgentChanges) => void;
}): ReactNode {
  const [texts, setTexts] = useState(
    () => Object.fromEntries(FIELDS.map((key) => [key, String(agent[key])])) as Record<Field, string>,
  );
  const { changes, problem } = changesOf(agent, texts);
  const id = useId();
  const why = agent.isSampling ? 'It ignores settings while it samples: stop it first.' : problem;
  const isDisabled = agent.isSampling || isAsked;
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (!isDisabled && problem === undefined && Object.keys(changes).length > 0) onSet(changes);
  }
  return (
    <form className="agent-settings" onSubmit={submit} aria-describedby={`${id}-why`}>
      {FIELDS.map((field) => {
        const { name, unit } = AGENT_OPTIONS.find(({ key }) => key === field) ?? { name: field };
        return (
          <label key={field} className={field === 'logPath' ? 'agent-path' : undefined}>
            {name}
            {unit !== undefined && `, ${unit}`}
            <input
              type="text"
              spellCheck={false}
              inputMode={field === 'logPath' ? undefined : 'numeric'}
              disabled={agent.isSampling}
              value={texts[field]}
              data-testid={`set-${field}`}
              onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
            />
          </label>
        );
      })}
      <button
        type="submit"
        className="button"
        disabled={isDisabled || problem !== undefined || Object.keys(changes).length === 0}
        data-testid="agent-set"
      >
        Set
      </button>
      <p id={`${id}-why`} role="status" className={problem === undefined ? undefined : 'jvm-problem'}>
        {why ?? 'Used from the next start on. A start empties the log.'}
      </p>
    </form>
  );
}

/** What was changed, or what is wrong with it: a sentence. */
function changesOf(
  agent: AgentState,
  texts: Readonly<Record<Field, string>>,
): { readonly changes: AgentChanges; readonly problem: string | undefined } {
  const changes: Record<string, number | string> = {};
  for (const { key, name, kind, least = 0, most = Infinity } of AGENT_OPTIONS) {
    const field = FIELDS.find((each) => each === key);
    if (field === undefined || texts[field].trim() === String(agent[field])) continue;
    const text = texts[field].trim();
    if (kind !== 'number') {
      if (text === '' || /\s/.test(text))
        return { changes: {}, problem: `${name}: the control port takes a path without blanks.` };
      changes[key] = text;
      continue;
    }
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(number >= least && number <= most))
      return { changes: {}, problem: `${name} is a whole number from ${least} to ${most}.` };
    changes[key] = number;
  }
  const { intervalMin = agent.intervalMin, intervalMax = agent.intervalMax } = changes as AgentChanges;
  return intervalMax < intervalMin
    ? { changes: {}, problem: 'The longest interval is shorter than the shortest.' }
    : { changes, problem: undefined };
}
