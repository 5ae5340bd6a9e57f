import { type ReactNode, useEffect, useState } from 'react';
import { dismissNotice } from '../store/actions/actions.ts';
import { cancelExport } from '../store/export-view.ts';
import type { Notice } from '../store/state/window-state.ts';
import { useWindow, services } from '../store/state/window-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Icon } from '../widgets/icons.tsx';
import { Progress } from './TopRow.tsx';

const INFO_MS = 6_000;
const PROBLEM_MS = 15_000;

/**
 * The running export, otherwise the latest notice. One at a time, with the number of others, at the end of the window over
 * the last line of a pane. An export is shown only when it takes longer than a moment.
 */
export function StatusArea(): ReactNode {
  const notices = useWindow((state) => state.notices);
  const exporting = useWindow((state) => state.exporting);
  const notice = notices.at(-1);
  const running = exporting.at(-1);
  const others = notices.length + exporting.length - 1;
  const more = others > 0 && <span className="dim">+{others}</span>;
  return (
    <div className="status-area" aria-live="polite" role="region" aria-label="Notices">
      {running !== undefined ? (
        <div key={running.id} className="notice line running-export" data-testid="running-export">
          <Icon name="export" />
          <span className="grow cut">
            Exporting {running.fileName}: {Math.floor(running.share * 100)} %
          </span>
          {more}
          <Button testId="cancel-export" tip="Cancel (Esc)" onClick={() => cancelExport(running.id)}>
            Cancel
          </Button>
          <Progress label={`Exporting ${running.fileName}`} share={running.share} />
        </div>
      ) : (
        notice !== undefined && <NoticeLine key={notice.id} notice={notice} more={more} />
      )}
    </div>
  );
}

interface NoticeLineProps {
  readonly notice: Notice;
  readonly more: ReactNode;
}

/** Closes by itself after a while, but not while the pointer or the focus is on it. */
function NoticeLine({ notice: { id, tone, text, action }, more }: NoticeLineProps): ReactNode {
  const [isHeld, setHeld] = useState(false);
  const isProblem = tone === 'problem';
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissNotice(id), isProblem ? PROBLEM_MS : INFO_MS);
    return () => clearTimeout(timer);
  }, [id, isProblem, isHeld]);
  return (
    <div
      className={`notice line notice-${tone}`}
      data-testid="notice"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={isProblem ? 'warning' : 'info'} />
      <span className="grow cut" title={text}>
        {text}
      </span>
      {more}
      {action === 'showSaved' && (
        <Button testId="show-saved" onClick={() => services().host.files?.showSaved()}>
          Show in folder
        </Button>
      )}
      <Button icon="close" label="Dismiss" onClick={() => dismissNotice(id)} />
    </div>
  );
}
