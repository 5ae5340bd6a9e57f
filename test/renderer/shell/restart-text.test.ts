import { expect, test } from 'vitest';
import { restartText } from '../../../renderer/shell/log-state.tsx';
import { type LogView, newLogView } from '../../../renderer/store/state/window-state.ts';
import type { Epoch, LogId, Restart } from '../../../shared/protocol/messages.ts';
import { logStatus, profileSummary } from '../../support/window-events.ts';

const summary = profileSummary();

function restarted(
  kind: Restart['kind'],
  samplesBefore: number,
  shown: Partial<LogView> = {},
  samples = 0,
): LogView {
  const restart = { kind, count: 1, at: 0, samplesBefore };
  const status = logStatus({ epoch: 2, restart, samples });
  return { ...newLogView('host:1', 1 as LogId, 'a.hpl', '/logs'), status, shownEpoch: 2 as Epoch, ...shown };
}

const told = (log: LogView): string | undefined => restartText(log)?.replace(/ at \d\d:\d\d:\d\d/, '');

test('what is said of the earlier samples is what the view shows', () => {
  expect(told({ ...restarted('truncated', 1), status: logStatus({}) })).toBeUndefined();
  expect(told(restarted('truncated', 1_553))).toBe(
    'The file was truncated. It has no samples; the 1,553 earlier samples are no longer shown.',
  );
  expect(told(restarted('replaced', 1, {}, 427))).toBe(
    'The file was replaced. New samples are shown; the 1 earlier sample is not.',
  );
  const earlier = { shownEpoch: 1 as Epoch, summary: { ...summary, samples: 1_553 } };
  expect(told(restarted('truncated', 1_553, earlier))).toBe(
    'The file was truncated. The view still shows the 1,553 earlier samples.',
  );
  expect(told(restarted('rewritten', 1_553, { ...earlier, isHeld: true }, 3))).toBe(
    'The file was rewritten. The view still shows the 1,553 earlier samples, because it is frozen.',
  );
  expect(told(restarted('rewritten', 0, {}, 3))).toBe('The file was rewritten. Its new content is shown.');
});
