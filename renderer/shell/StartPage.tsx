import type { ReactNode } from 'react';
import icon from '../../assets/icon.svg';
import { agentLine } from '../../shared/agent/agent-options.ts';
import { GUIDE } from '../../shared/protocol/desktop-bridge.ts';
import type { SampleId } from '../../shared/protocol/messages.ts';
import { copyText } from '../store/actions/actions.ts';
import { send, useWindow } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { keyOf, runnerOf } from './commands.ts';
import { AttachHelp, JvmPanel } from './JvmPanel.tsx';
import './start.css';

const SAMPLES: Readonly<Record<SampleId, readonly [title: string, about: string]>> = {
  'honest-profiler': ['Honest Profiler log', 'A slow web shop, 40 s: CPU'],
  jfr: ['JFR recording', 'The same shop: CPU, allocations and locks'],
};

/** The window without a log: what to open. */
export function StartPage(): ReactNode {
  const { version, samples, recent, formats } = useWindow();
  const can = useWindow((state) => state.capabilities.jvms);
  return (
    <main className="start" data-testid="start-page">
      <div className="start-column">
        <h1 className="line">
          <img src={icon} alt="" width="32" height="32" /> Leanscope
        </h1>
        <p className="start-lead mid">JVM profiles, live or recorded</p>
        <div className="start-open line wrap dim">
          <Button icon="open" className="button-primary" testId="open-log" onClick={runnerOf('open')}>
            {' '}
            Open file… <kbd>{keyOf('open')}</kbd>
          </Button>
          <span>or drop files anywhere in this window</span>
        </div>
        {can === 'allowed' && (
          <Section id="start-jvms" title="Attach to a JVM on this machine">
            <div className="start-jvms">
              <JvmPanel />
            </div>
          </Section>
        )}
        {samples.length > 0 && (
          <Section id="start-samples" title="Try a sample">
            <div className="start-grid">
              {samples.map((id) => (
                <Button
                  key={id}
                  icon="sample"
                  className="start-sample"
                  testId={`open-sample-${id}`}
                  onClick={() => send({ type: 'openSample', sample: id })}
                >
                  <span>
                    <strong>{SAMPLES[id][0]}</strong>
                    <span className="dim">{SAMPLES[id][1]}</span>
                  </span>
                </Button>
              ))}
            </div>
            <p className="start-note dim">
              New to profiles?{' '}
              <a className="link" href={GUIDE} target="_blank" rel="noreferrer" data-testid="guide">
                Find a hot method in five minutes
              </a>
              , with the JFR recording.
            </p>
          </Section>
        )}
        {recent.length > 0 && (
          <Section
            id="start-recent"
            title={
              <>
                Recent
                <button type="button" className="link" onClick={() => send({ type: 'forgetRecent' })}>
                  Clear
                </button>
              </>
            }
          >
            <ul className="start-recent">
              {recent.map(({ id, name, folder }) => (
                <li key={id}>
                  <button
                    type="button"
                    className="line"
                    title={`${folder}/${name}`}
                    onClick={() => send({ type: 'openRecent', file: id })}
                  >
                    <Icon name="clock" />
                    <ElidedText text={name} />
                    <span className="start-recent-folder cut dim">{folder}</span>
                  </button>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {formats.length > 0 && (
          <Section id="start-formats" title="Opens">
            <div className="start-grid">
              {formats.map((group) => (
                <section key={group.title}>
                  <h3>{group.title}</h3>
                  <ul>
                    {group.formats.map(({ name, files }) => (
                      <li key={name}>
                        {name} <span className="small dim">{files}</span>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </div>
            <p className="start-note dim">Plain, gzip, zip or tar. Files are recognised by their content.</p>
          </Section>
        )}
        <footer className="start-footer line wrap dim">
          <RecordHelp />
          {can !== 'allowed' && version !== '' && (
            <details>
              <summary>Attach to a running JVM</summary>
              <AttachHelp can={can} />
            </details>
          )}
          {version !== '' && <span>Version {version}</span>}
        </footer>
      </div>
    </main>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

function Section({ id, title, children }: SectionProps): ReactNode {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Options of `java` that record it from its start. */
const RECORDINGS = [
  {
    name: 'JDK Flight Recorder',
    about: 'In every JDK from 11 on. Open the file when the JVM has ended.',
    option: '-XX:StartFlightRecording:settings=profile,filename=/tmp/app.jfr',
  },
  {
    name: 'async-profiler',
    about: 'CPU samples without safepoint bias. Open the file when the JVM has ended.',
    option: '-agentpath:/path/to/libasyncProfiler.so=start,event=cpu,file=/tmp/app.jfr',
  },
  {
    name: 'Honest Profiler',
    about:
      'Open the log at once: it is followed while it grows. The command “leanscope agent options” lists all options.',
    option: agentLine('/path/to/liblagent.so', { interval: '7', logPath: '/tmp/app.hpl', maxFrames: '512' })
      .line,
  },
];

/** The options that record a JVM from its start. */
function RecordHelp(): ReactNode {
  return (
    <details>
      <summary data-testid="record-help">Record a JVM from its start</summary>
      <dl className="start-recordings">
        {RECORDINGS.map(({ name, about, option }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="line wrap">
              <p>{about}</p>
              <code className="start-code" tabIndex={0}>
                java {option} …
              </code>
              <Button onClick={() => void copyText(option)}>
                Copy option<span className="unseen"> of {name}</span>
              </Button>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
