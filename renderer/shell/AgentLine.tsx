import { type ReactNode, useId, useState } from 'react';
import {
  AGENT_OPTIONS,
  agentLine,
  type AgentOption,
  type AgentProblem,
  type AgentSettings,
} from '../../shared/agent/agent-options.ts';
import { copyText } from '../store/actions.ts';
import './agent.css';

const LIBRARY = '/path/to/liblagent.so';
const SUGGESTED: AgentSettings = { interval: '7', logPath: '/tmp/app.hpl', maxFrames: '512' };

/** Builds the option that loads Honest Profiler's agent, with each of its options explained. */
export function AgentLine(): ReactNode {
  const [library, setLibrary] = useState(LIBRARY);
  const [settings, setSettings] = useState(SUGGESTED);
  const { line, problems } = agentLine(library, settings);
  const problemOf = (key: string): string | undefined => problems.find((each) => each.key === key)?.text;
  // Beside the button that it disables; the field may be far below.
  const first = problems.at(0);
  const command = `java ${line} …`;
  return (
    <div className="agent-line" data-testid="agent-line">
      <p>Start the JVM with the agent, then open the log. It is followed while it grows.</p>
      <div className="agent-command">
        <code className="start-code" tabIndex={0} data-testid="agent-command">
          {command}
        </code>
        <button
          type="button"
          className="button"
          disabled={problems.length > 0}
          onClick={() => void copyText(line)}
        >
          Copy option
        </button>
        <p className="agent-problem" role="status" data-testid="agent-problem">
          {first !== undefined && `${nameOf(first.key)}: ${first.text}`}
          {problems.length > 1 && ` And ${problems.length - 1} more below.`}
        </p>
      </div>
      <dl className="agent-options">
        <OptionField
          name="Library"
          help="The file liblagent.so of Honest Profiler, as the JVM sees it."
          value={library}
          problem={problemOf('library')}
          testId="agent-library"
          onChange={setLibrary}
        />
        {AGENT_OPTIONS.map((option) => (
          <OptionField
            key={option.key}
            name={option.name}
            unit={option.unit}
            help={option.help}
            placeholder={option.otherwise}
            choices={option.kind === 'switch' ? ['1', '0'] : undefined}
            value={settings[option.key] ?? ''}
            problem={problemOf(option.key)}
            testId={`agent-${option.key}`}
            onChange={(value) => setSettings(withOption(settings, option, value))}
          />
        ))}
      </dl>
    </div>
  );
}

function nameOf(key: AgentProblem['key']): string {
  return AGENT_OPTIONS.find((option) => option.key === key)?.name ?? 'Library';
}

/** One interval, or the shortest and the longest: what is typed last counts. */
function withOption(settings: AgentSettings, { key }: AgentOption, value: string): AgentSettings {
  const next = { ...settings, [key]: value };
  if (value === '') return next;
  if (key === 'interval') return { ...next, intervalMin: '', intervalMax: '' };
  return key === 'intervalMin' || key === 'intervalMax' ? { ...next, interval: '' } : next;
}

interface OptionFieldProps {
  readonly name: string;
  readonly unit?: string | undefined;
  readonly help: string;
  readonly placeholder?: string;
  /** A check box for 1 and 0. */
  readonly choices?: readonly [string, string] | undefined;
  readonly value: string;
  readonly problem: string | undefined;
  readonly testId: string;
  readonly onChange: (value: string) => void;
}

function OptionField({
  name,
  unit,
  help,
  placeholder,
  choices,
  value,
  problem,
  testId,
  onChange,
}: OptionFieldProps): ReactNode {
  const id = useId();
  const isOn = choices !== undefined && value !== choices[1];
  return (
    <>
      <dt>
        <label htmlFor={id}>{name}</label>
      </dt>
      <dd>
        {choices !== undefined ? (
          <input
            id={id}
            type="checkbox"
            checked={isOn}
            aria-describedby={`${id}-help`}
            data-testid={testId}
            onChange={() => onChange(isOn ? choices[1] : choices[0])}
          />
        ) : (
          <input
            id={id}
            type="text"
            className="text-field"
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-help`}
            data-testid={testId}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        {unit !== undefined && <span className="agent-unit">{unit}</span>}
        <p id={`${id}-help`}>
          {problem !== undefined && <span className="agent-problem">{problem} </span>}
          {help}
        </p>
      </dd>
    </>
  );
}
