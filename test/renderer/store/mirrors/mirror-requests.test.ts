import { expect, test } from 'vitest';
import { mirrorRequests } from '../../../../renderer/store/mirrors/mirror-requests.ts';
import { DEFAULT_PREFERENCES } from '../../../../renderer/store/state/preferences.ts';
import { INITIAL_STATE, type LogView, newLogView } from '../../../../renderer/store/state/window-state.ts';
import { EMPTY_SCOPE, type Transform } from '../../../../shared/scope/scope.ts';
import { logStatus, profileSummary } from '../../../support/window-events.ts';

test('callers come with the lines of their method, unless that would take long', () => {
  const panes = (
    nodes: number,
    transforms: readonly Transform[],
    tree: 'calls' | 'detail',
    baseline?: LogView['baseline'],
  ): string => {
    const log = {
      ...newLogView('a', undefined, 'a.hpl', '/'),
      summary: profileSummary({ nodes }),
      detail: [{ of: 'methods', id: 1, label: 'Shop.main' }] as const,
      scope: { ...EMPTY_SCOPE, transforms },
      baseline,
    };
    const preferences = { ...DEFAULT_PREFERENCES, tree, panes: 'tree', summary: false } as const;
    const state = { ...INITIAL_STATE, logs: [log], active: 'a', preferences };
    return mirrorRequests(state, log)
      .flatMap((request) =>
        request.type === 'pane' && request.spec !== undefined ? `${request.pane} ${request.spec.kind}` : [],
      )
      .join(', ');
  };
  const callers = 'callers rows, callees rows';
  expect(panes(1_000_000, [], 'detail')).toBe(`${callers}, source lines`);
  expect(panes(1_000_000, [{ kind: 'drop', key: 'Shop.wait' }], 'detail')).toBe(`${callers}, source lines`);
  expect(panes(7_000_000, [], 'detail')).toBe(`${callers}, source lines`);
  // Where the call nodes on screen are not those of the file, they are copied with their lines.
  const merge = { kind: 'merge', key: 'Shop.wait' } as const;
  expect(panes(1_000_000, [merge], 'detail')).toBe(`${callers}, source lines`);
  expect(panes(1_000_001, [merge], 'detail')).toBe(callers);
  expect(panes(1_000_000, [], 'detail', { log: 'b' })).toBe(`${callers}, source lines`);
  expect(panes(1_000_001, [], 'detail', { log: 'b' })).toBe(callers);
  const range = { kind: 'between', from: '1', to: undefined } as const;
  expect(panes(7_000_000, [], 'detail', { range })).toBe(`${callers}, source lines`);
  expect(panes(5, [], 'calls')).toBe('tree rows');
});

test('the calls of a trace become requests only where the operations are on screen', () => {
  const durations = (areCalls: boolean, tree: 'calls' | 'operations'): boolean => {
    const log = {
      ...newLogView('a', undefined, 'a.trcbin', '/'),
      summary: profileSummary({ samples: 3, areCalls, contextKeys: areCalls ? [] : ['operation'] }),
      status: logStatus({ samples: 3, hasSampleTimes: true }),
    };
    const preferences = { ...DEFAULT_PREFERENCES, tree };
    const state = { ...INITIAL_STATE, logs: [log], active: 'a', preferences, timelineWidth: 700 };
    return mirrorRequests(state, log).some(
      (request) => request.type === 'timeline' && request.durations !== undefined,
    );
  };
  expect(durations(false, 'calls')).toBe(true);
  expect(durations(true, 'calls')).toBe(false);
  expect(durations(true, 'operations')).toBe(true);
});
