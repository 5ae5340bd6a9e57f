import { type ReactNode, useEffect, useState } from 'react';
import { hasSettings } from '../../shared/agent/agent-options.ts';
import type { JvmAgent, JvmId } from '../../shared/protocol/jvm-messages.ts';
import { controlAgent, openAgentLog } from '../store/jvm-actions.ts';
import type { AgentView } from '../store/jvms-view.ts';
import { useWindow } from '../store/window-store.ts';
import { AgentSettings } from './AgentSettings.tsx';

interface JvmAgentPanelProps {
  readonly jvm: JvmId;
  /** Main class or jar of the JVM. */
  readonly main: string;
  readonly agent: JvmAgent;
}

/** Honest Profiler's agent in a JVM: its log, and its control port. */
export function JvmAgentPanel({ jvm, main, agent: { log, hasControl } }: JvmAgentPanelProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const view = useWindow((state) => state.jvms.agents[jvm]);
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
            aria-disabled={isAsked}
            data-testid="agent-run"
            onClick={() => {
              if (!isAsked) controlAgent(jvm, { do: agent.isSampling ? 'stop' : 'start' });
            }}
          >
            {agent.isSampling ? 'Stop sampling' : 'Start sampling'}
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-disabled={isAsked}
          onClick={() => {
            if (!isAsked) controlAgent(jvm, { do: 'status' });
          }}
        >
          Ask again
        </button>
      </div>
      {agent !== undefined && !hasSettings(agent) && (
        <p>This agent is from before its settings could be changed while it runs.</p>
      )}
      {agent !== undefined && hasSettings(agent) && (
        <AgentSettings
          agent={agent}
          isAsked={isAsked}
          onSet={(changes) => controlAgent(jvm, { do: 'set', changes })}
        />
      )}
    </div>
  );
}
