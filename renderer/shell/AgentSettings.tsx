import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { AGENT_OPTIONS, type AgentChanges, type AgentState } from '../../shared/agent/agent-options.ts';
import { AGENT_FIELDS, changesOf, textsAfter, textsOf } from './agent-changes.ts';

interface AgentSettingsProps {
  readonly agent: AgentState;
  readonly isAsked: boolean;
  readonly onSet: (changes: AgentChanges) => void;
}

/** What the agent uses from its next start on. */
export function AgentSettings({ agent, isAsked, onSet }: AgentSettingsProps): ReactNode {
  const [{ shown, texts }, setForm] = useState(() => ({ shown: agent, texts: textsOf(agent) }));
  // The form is not created anew, so that the focus and what was typed into other fields stay.
  if (shown !== agent) setForm({ shown: agent, texts: textsAfter(texts, shown, agent) });
  const { changes, problem } = changesOf(agent, texts);
  const id = useId();
  const why = agent.isSampling ? 'It ignores settings while it samples: stop it first.' : problem;
  const hasChanges = problem === undefined && Object.keys(changes).length > 0;
  const canSet = hasChanges && !agent.isSampling && !isAsked;
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (canSet) onSet(changes);
  }
  return (
    <form className="agent-settings" onSubmit={submit} aria-describedby={`${id}-why`}>
      {AGENT_FIELDS.filter((field) => agent[field] !== undefined).map((field) => {
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
              onChange={(event) => setForm({ shown, texts: { ...texts, [field]: event.target.value } })}
            />
          </label>
        );
      })}
      <button type="submit" className="button" aria-disabled={!canSet} data-testid="agent-set">
        Set
      </button>
      <p id={`${id}-why`} role="status" className={problem === undefined ? undefined : 'jvm-problem'}>
        {why ?? 'Used from the next start on. A start empties the log.'}
      </p>
    </form>
  );
}
