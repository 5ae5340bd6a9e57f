import { type ReactNode, type SyntheticEvent, useEffect, useId, useState } from 'react';
import { AGENT_OPTIONS } from '../../shared/agent/agent-options.ts';
import type { AgentChanges, AgentState } from '../../shared/agent/agent-state.ts';
import type { JvmAgent, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { controlAgent, openAgentLog } from '../store/jvm-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { AGENT_FIELDS, type AgentField, changesOf } from './agent-changes.ts';

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
    () =>
      Object.fromEntries(AGENT_FIELDS.map((key) => [key, String(agent[key])])) as Record<AgentField, string>,
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
      {AGENT_FIELDS.map((field) => {
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
