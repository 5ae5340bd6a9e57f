import { expect, test } from 'vitest';
import { EMPTY_SCOPE } from '../../../shared/scope/scope.ts';
import { quietText, recentRows } from '../../../renderer/shell/RecentPanel.tsx';
import { type LogView, newLogView } from '../../../renderer/store/window-state.ts';
import { NO_LOG_FACTS } from '../../../shared/facts/log-facts.ts';
import type { Epoch, LogId, LogState } from '../../../shared/protocol/messages.ts';

const method = (id: number, self: number, total: number) =>
  ({ id, label: `m${id}`, kind: 'frame', self, total }) as const;
const recent = { seconds: 10, samples: 30, methods: [method(1, 5, 5), method(2, 20, 20), method(3, 0, 30)] };

test('the fastest first, by self or by total; held rows keep their order', () => {
  const shown = (by: 'self' | 'total', ...held: number[]): string[] =>
    recentRows(recent, by, held).map(({ label, perSecond }) => `${label} ${perSecond[by]}`);
  expect(shown('self')).toEqual(['m2 2', 'm1 0.5']);
  expect(shown('total')).toEqual(['m3 3', 'm2 2', 'm1 0.5']);
  expect(shown('total', 1, 3)).toEqual(['m1 0.5', 'm3 3', 'm2 2']);
  expect(recentRows({ ...recent, seconds: 0 }, 'self', [])).toEqual([]);
});

test('why nothing is listed', () => {
  const log = (state: LogState, change: Partial<LogView> = {}): LogView => ({
    ...newLogView('host:1', 1 as LogId, 'x', '/'),
    status: {
      ...NO_LOG_FACTS,
      ...{ epoch: 0 as Epoch, state, detail: undefined, restart: undefined, fileBytes: 9, readBytes: 9 },
    },
    ...change,
  });
  const quiet = { seconds: 30.4, samples: 0, methods: [] };
  expect([
    quietText(log('live', { recent }), true),
    quietText(log('live', { recent: quiet }), true),
    quietText(log('idle', { recent: quiet }), true),
    quietText(log('live', { recent: { ...quiet, seconds: 0 } }), true),
    quietText(log('live', { recent, isHeld: true }), true),
    quietText(log('live', { recent }), false),
    quietText(log('gone', { recent }), true),
    quietText(log('reading', { recent }), true),
    quietText(log('live', { recent, scope: { ...EMPTY_SCOPE, range: { kind: 'latest', ns: 1e9 } } }), true),
  ]).toEqual([
    undefined,
    'Nothing ran in the last 30 s.',
    'Nothing ran in the last 30 s.',
    'Measuring…',
    'The view is frozen. Resume to measure what grows.',
    'Not connected: nothing new arrives.',
    'This log does not grow any more: file gone.',
    'What was written earlier is still being read.',
    'Not measured while only the latest samples are looked at: follow all of them.',
  ]);
});
