import type { ReactNode } from 'react';
import icon from '../../assets/icon.svg';
import type { SampleId } from '../../shared/protocol/messages.ts';
import { copyText } from '../store/actions.ts';
import { forgetRecent, openRecent, openSample } from '../store/log-actions.ts';
import { useWindow } from '../store/window-store.ts';
import { ElidedText } from '../widgets/ElidedText.tsx';
import { Icon } from '../widgets/icons.tsx';
import { keyOf, runnerOf } from './commands.ts';
import { AttachHelp, JvmPanel } from './JvmPanel.tsx';
import './start.css';
import { Button } from '../widgets/Button.tsx';
import { agentLine } from '../../shared/agent/agent-options.ts';

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
          <Button icon="open" className="button-primary" testId="open-log" onClick={runnerOf('open')}>
            {' '}
            Open file… <kbd>{keyOf('open')}</kbd>
          </Button>
          <span>or drop files anywhere in this window</span>
        </div>
        <Jvms />
        <Samples />
        <Recent />
        <Formats />
        <footer className="start-footer">
          <RecordHelp />
          <Attaching />
          {version !== '' && <span>Version {version}</span>}
        </footer>
      </div>
    </main>
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
    about: 'Open the log at once: it is followed while it grows. All options: leanscope agent options.',
    option: agentLine('/path/to/liblagent.so', { interval: '7', logPath: '/tmp/app.hpl', maxFrames: '512' })
      .line,
  },
];

/** How a JVM is recorded from its start. */
function RecordHelp(): ReactNode {
  return (
    <details>
      <summary data-testid="record-help">Record a JVM from its start</summary>
      <dl className="start-recordings">
        {RECORDINGS.map(({ name, about, option }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
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
