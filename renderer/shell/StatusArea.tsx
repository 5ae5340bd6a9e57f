import { type ReactNode, useEffect, useState } from 'react';
import { dismissNotice, showSaved } from '../store/actions.ts';
import { cancelExport } from '../store/export-view.ts';
import type { Notice, RunningExport } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Icon } from '../widgets/icons.tsx';

const INFO_MS = 6_000;
const PROBLEM_MS = 15_000;

/**
 * The running export, otherwise the latest notice. One at a time, with the number of others, at the end of the window over
 * the last line of a pane.
 */
export function StatusArea(): ReactNode {
  const notices = useWindow((state) => state.notices);
  const exporting = useWindow((state) => state.exporting);
  const notice = notices.at(-1);
  const running = exporting.at(-1);
  const more = notices.length + exporting.length - 1;
  return (
    <div className="status-area" aria-live="polite" role="region" aria-label="Notices">
      {running !== undefined ? (
        <RunningExportNotice key={running.id} running={running} more={more} />
      ) : (
        notice !== undefined && <NoticeLine key={notice.id} notice={notice} more={more} />
      )}
    </div>
  );
}

function More({ count }: { readonly count: number }): ReactNode {
  return count > 0 ? <span className="notice-more">+{count}</span> : null;
}

/** Closes by itself after a while, but not while the pointer or the focus is on it. */
function NoticeLine({ notice, more }: { readonly notice: Notice; readonly more: number }): ReactNode {
  const [isHeld, setHeld] = useState(false);
  const { id, tone, text } = notice;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissNotice(id), tone === 'problem' ? PROBLEM_MS : INFO_MS);
    return () => clearTimeout(timer);
  }, [id, tone, isHeld]);
  return (
    <div
      className={`notice notice-${tone}`}
      data-testid="notice"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={tone === 'problem' ? 'warning' : 'info'} />
      <span className="notice-text" title={text}>
        {text}
      </span>
      <More count={more} />
      {notice.action === 'showSaved' && (
        <Button testId="show-saved" onClick={showSaved}>
          Show in folder
        </Button>
      )}
      <Button icon="close" label="Dismiss" onClick={() => dismissNotice(id)} />
    </div>
  );
}

/** Shown only when the export takes longer than a moment. */
function RunningExportNotice({
  running,
  more,
}: {
  readonly running: RunningExport;
  readonly more: number;
}): ReactNode {
  const { id, fileName, share } = running;
  const percent = Math.floor(share * 100);
  const text = `Exporting ${fileName}`;
  return (
    <div className="notice running-export" data-testid="running-export">
      <Icon name="export" />
      <span className="notice-text">
        {text}: {percent} %
      </span>
      <More count={more} />
      <Button testId="cancel-export" tip="Cancel (Esc)" onClick={() => cancelExport(id)}>
        Cancel
      </Button>
      <div
        className="progress"
        role="progressbar"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div style={{ transform: `scaleX(${share})` }} />
      </div>
    </div>
  );
}
