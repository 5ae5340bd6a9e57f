import { type ReactNode, useEffect } from 'react';
import { PATTERN_TEXTS } from '../../../shared/engine/views/time-pattern.ts';
import { shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';
import { poolsText } from '../../../shared/summary/summary-text.ts';
import type { FlameRow } from '../../../shared/engine/views/flame-columns.ts';
import { ask } from '../../store/actions/actions.ts';
import { type FlamePaneId, PANES } from '../../store/panes/panes.ts';
import { shownThreads } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { type PointerPlace, PointerTip } from '../../widgets/Tooltip.tsx';
import { TimesDrawing } from '../TimesDrawing.tsx';

interface FrameTipProps {
  readonly at: PointerPlace;
  readonly pane: FlamePaneId;
  readonly log: string;
  readonly row: Pick<FlameRow, 'id' | 'label' | 'kind'>;
  /** Its numbers, a line each. */
  readonly lines: readonly string[];
}

/** The pointer rests so long before the worker is asked. */
const REST_MS = 120;

/**
 * Everything about the frame under the pointer: its whole name, its numbers, and as soon as the worker has answered the
 * threads that have it on their stacks, and when.
 */
export function FrameTip({ at, pane, log: key, row, lines }: FrameTipProps): ReactNode {
  const { id, label, kind } = row;
  const { of } = PANES[pane];
  const threads = useWindow(({ logs, preferences }) => {
    const log = logs.find((each) => each.key === key);
    return log === undefined ? preferences.threads : shownThreads(log, preferences.threads);
  });
  const known = useWindow(({ logs }) => logs.find((each) => each.key === key)?.about?.frame);
  const hasThreads = kind === 'frame' && (of === 'calls' || of === 'callers' || of === 'callees');
  useEffect(() => {
    if (!hasThreads) return;
    const timer = setTimeout(
      () => ask({ type: 'about', of: 'frame', method: { of, id, label }, threads }),
      REST_MS,
    );
    return () => clearTimeout(timer);
  }, [hasThreads, of, id, label, threads]);
  const isKnown = known?.method.of === of && known.method.id === id && known.method.label === label;
  const about = isKnown ? known.about : undefined;
  const { package: path } = splitFrameLabel(label);
  return (
    <PointerTip at={at} testId="frame-tip">
      <span className="frame-tip-name">
        {path !== '' && <span className="frame-tip-dim">{path}</span>}
        {shownLabel(label).slice(path.length)}
      </span>
      {lines.map((line) => (
        <span key={line} className="frame-tip-line">
          {line}
        </span>
      ))}
      {about !== undefined && (
        <span className="frame-tip-line" data-testid="frame-tip-threads">
          {poolsText(about)}
          {about.when !== undefined && (
            <span className="frame-tip-when">
              <TimesDrawing counts={about.when.counts} width={72} height={14} />
              {about.when.pattern && PATTERN_TEXTS[about.when.pattern]}
            </span>
          )}
        </span>
      )}
    </PointerTip>
  );
}
