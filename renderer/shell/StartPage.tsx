import type { ReactNode } from 'react';
import icon from '../../assets/icon.svg';
import { forgetRecent, openRecent, openSample } from '../store/actions.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';

interface StartPageProps {
  readonly onOpen: () => void;
  readonly controlKey: string;
}

const AGENT_OPTION = '-agentpath:/path/to/liblagent.so=interval=7,logPath=/tmp/app.hpl,maxFrames=512';

/** The window without a log. */
export function StartPage({ onOpen, controlKey }: StartPageProps): ReactNode {
  const hasSample = useWindow((state) => state.hasSample);
  const recent = useWindow((state) => state.recent);
  const version = useWindow((state) => state.version);
  return (
    <main className="start" data-testid="start-page">
      <div className="start-page-body">
        <h1>
          <img src={icon} alt="" width="34" height="34" /> Leanscope
        </h1>
        <p className="start-lead">
          Shows where a JVM spends its time: Honest Profiler logs as call tree, flat list and flame graph,
          while they are being written.
        </p>
        <div className="start-actions">
          <button type="button" className="button button-primary" data-testid="open-log" onClick={onOpen}>
            <Icon name="open" /> Open log… <kbd>{controlKey}O</kbd>
          </button>
          {hasSample && (
            <button type="button" className="button" data-testid="open-sample" onClick={openSample}>
              <Icon name="sample" /> Open the sample log
            </button>
          )}
          <span className="start-hint">or drop any JVM profile anywhere in this window</span>
        </div>
        {recent.length > 0 && (
          <section aria-label="Recent logs">
            <h2>
              Recent
              <button type="button" className="link" onClick={forgetRecent}>
                Clear
              </button>
            </h2>
            <ul className="recent">
              {recent.map((file) => (
                <li key={file.id}>
                  <button type="button" onClick={() => openRecent(file.id)}>
                    <Icon name="clock" />
                    <span className="recent-name">{file.name}</span>
                    <span className="recent-folder">{file.folder}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-label="How to record a log">
          <h2>Record a log</h2>
          <p>
            Start the JVM with the Honest Profiler agent, then open the log; it is followed while it grows.
          </p>
          <code className="start-code">java {AGENT_OPTION} …</code>
        </section>
        {version !== '' && <footer className="start-version">Version {version}</footer>}
      </div>
    </main>
  );
}
