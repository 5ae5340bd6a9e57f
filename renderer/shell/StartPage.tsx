import { type ReactNode, useId, useState } from 'react';
import icon from '../../assets/icon.svg';
import type { SampleId } from '../../shared/protocol/messages.ts';
import { copyText, forgetRecent, openRecent, openSample } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { keyOf, runnerOf } from './commands.ts';
import { AttachHelp, JvmPanel } from './JvmPanel.tsx';
import './start.css';
import {
  AGENT_OPTIONS,
  agentLine,
  type AgentOption,
  type AgentProblem,
  type AgentSettings,
} from '../../shared/agent/agent-options.ts';
import './agent.css';

const SAMPLES: Readonly<Record<SampleId, { readonly title: string; readonly about: string }>> = {
  'honest-profiler': {
    title: 'Honest Profiler log',
    about: 'CPU samples of a web shop, 40 s',
  },
  jfr: {
    title: 'JFR recording',
    about: 'Same shop: CPU, allocations, locks',
  },
};

/** The window without a log: what to open. */
export function StartPage(): ReactNode {
  const version = useWindow((state) => state.version);
  return (
    <main className="start" data-testid="start-page">
      <div className="start-column">
        <h1>
          <img src={icon} alt="" width="32" height="32" /> Leanscope
        </h1>
        <p className="start-lead">JVM profiles, live or recorded</p>
        <div className="start-open">
          <button
            type="button"
            className="button button-primary"
            data-testid="open-log"
            onClick={runnerOf('open')}
          >
            <Icon name="open" /> Open file… <kbd>{keyOf('open')}</kbd>
          </button>
          <span>or drop files anywhere in this window</span>
        </div>
        <Jvms />
        <Samples />
        <Recent />
        <Formats />
        <footer className="start-footer">
          <AgentHelp />
          <Attaching />
          {version !== '' && <span>Version {version}</span>}
        </footer>
      </div>
    </main>
  );
}

/** How a JVM is started with the agent. */
function AgentHelp(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-testid="agent-help">Record with Honest Profiler</summary>
      {isOpen && <AgentLine />}
    </details>
  );
}

function Jvms(): ReactNode {
  const isAllowed = useWindow((state) => state.capabilities.jvms === 'allowed');
  if (!isAllowed) return null;
  return (
    <section aria-labelledby="start-jvms">
      <h2 id="start-jvms">Attach to a JVM on this machine</h2>
      <div className="start-jvms">
        <JvmPanel />
      </div>
    </section>
  );
}

/** Where the host lists no JVMs. */
function Attaching(): ReactNode {
  const can = useWindow((state) => state.capabilities.jvms);
  const isKnown = useWindow((state) => state.version !== '');
  if (can === 'allowed' || !isKnown) return null;
  return (
    <details>
      <summary>Attach to a running JVM</summary>
      {can === undefined ? (
        <AttachHelp can={can} />
      ) : (
        <>
          <p>To list and record the JVMs of this machine on this page, start the server with:</p>
          <code className="start-code" tabIndex={0}>
            leanscope serve --attach
          </code>
        </>
      )}
    </details>
  );
}

function Samples(): ReactNode {
  const samples = useWindow((state) => state.samples);
  if (samples.length === 0) return null;
  return (
    <section aria-labelledby="start-samples">
      <h2 id="start-samples">Try a sample</h2>
      <div className="start-samples">
        {samples.map((id) => (
          <button
            key={id}
            type="button"
            className="start-sample"
            data-testid={`open-sample-${id}`}
            onClick={() => openSample(id)}
          >
            <Icon name="sample" />
            <span>
              <strong>{SAMPLES[id].title}</strong>
              <span className="start-about">{SAMPLES[id].about}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

function Recent(): ReactNode {
  const recent = useWindow((state) => state.recent);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="start-recent">
      <h2 id="start-recent">
        Recent
        <button type="button" className="link" onClick={forgetRecent}>
          Clear
        </button>
      </h2>
      <ul className="start-recent">
        {recent.map((file) => (
          <li key={file.id}>
            <button type="button" title={`${file.folder}/${file.name}`} onClick={() => openRecent(file.id)}>
              <Icon name="clock" />
              <ElidedText className="start-recent-name" text={file.name} />
              <span className="start-recent-folder">{file.folder}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Formats(): ReactNode {
  const formats = useWindow((state) => state.formats);
  if (formats.length === 0) return null;
  return (
    <section aria-labelledby="start-formats">
      <h2 id="start-formats">Opens</h2>
      <div className="start-formats">
        {formats.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <ul>
              {group.formats.map(({ name, files }) => (
                <li key={name}>
                  {name} <span className="start-files">{files}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="start-note">Plain, gzip or zip. Files are recognised by their content.</p>
    </section>
  );
}

const LIBRARY = '/path/to/liblagent.so';
const SUGGESTED: AgentSettings = { interval: '7', logPath: '/tmp/app.hpl', maxFrames: '512' };

/** Builds the option that loads Honest Profiler's agent, with each of its options explained. */
function AgentLine(): ReactNode {
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
