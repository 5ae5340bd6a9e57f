import { expect, test } from 'vitest';
import { withAwaitedBases } from '../../../../renderer/store/actions/compare-actions.ts';
import { inHostOrder } from '../../../../renderer/store/state/log-names.ts';
import { linkedScope } from '../../../../renderer/store/links/linked-scopes.ts';
import { fragmentOf, readFragment } from '../../../../renderer/store/links/scope-address.ts';
import { type LogView, newLogView } from '../../../../renderer/store/state/window-state.ts';
import type { LogId, LogStatus } from '../../../../shared/protocol/messages.ts';
import { EMPTY_SCOPE } from '../../../../shared/scope/scope.ts';
import { withLinkedScopes } from '../../../support/linked-scopes.ts';

test('logs of one name are told apart by folders, and those of one path by the order in which they were opened', () => {
  const logs = [
    '/srv/a/app.hpl',
    '/srv/b/app.hpl',
    '/srv/b/app.hpl',
    '/app.hpl',
    'C:\\d\\app.hpl',
    '/web.hpl',
  ];
  const inOrder = logs.map((path, at): LogView => {
    const [, folder, name] = /^(.*)[/\\](.*)$/.exec(path)!;
    return newLogView(`host:${at}`, at as LogId, name, folder);
  });
  const scoped = inOrder.map((log, at) => ({ ...log, scope: { ...EMPTY_SCOPE, threads: [`t${at}`] } }));
  // Their tabs are in another order.
  const tabs = [...scoped].reverse();
  const calls = { flame: 'calls' } as const;
  const address = (shown: readonly LogView[]): string => {
    const linked = inHostOrder(shown).map((log) => linkedScope(log, calls, shown));
    return fragmentOf({ frames: 'fqmn', threads: undefined, logs: linked });
  };
  expect(address(tabs)).toBe(
    '#log=a/app.hpl&thread=t0&log=b/app.hpl&thread=t1&log=b/app.hpl&thread=t2&log=/app.hpl&thread=t3' +
      '&log=d/app.hpl&thread=t4&log=web.hpl&thread=t5',
  );
  const restored = (fragment: string, opened: readonly LogView[]): string =>
    withLinkedScopes(opened, { waiting: readFragment(fragment).logs, seen: new Set() })
      .logs.map(({ scope }) => scope.threads.join())
      .join(' ');
  expect(restored(address(tabs), inOrder)).toBe('t0 t1 t2 t3 t4 t5');
  // Also where the first one has no scope, and where a link has more folders than are needed.
  expect(address([scoped[1], inOrder[0]])).toBe('#log=b/app.hpl&thread=t1');
  expect(restored('#log=b/app.hpl&thread=t1', inOrder)).toBe(' t1    ');
  expect(restored('#log=srv/b/app.hpl&thread=t1', inOrder)).toBe(' t1    ');
  expect(restored('#log=app.hpl&thread=t1', inOrder)).toBe('t1     ');
  // What is compared with is named likewise, and found by that name.
  const compared = { ...inOrder[0], baseline: { log: 'host:4' } };
  const opened = [compared, ...inOrder.slice(1)];
  expect(address(opened)).toBe('#log=a/app.hpl&base=d/app.hpl');
  const status = { units: {} } as unknown as LogStatus;
  const [waiting] = withLinkedScopes(inOrder, {
    waiting: readFragment(address(opened)).logs,
    seen: new Set(),
  }).logs;
  const read = [waiting, ...inOrder.slice(1)].map((log) => ({ ...log, status }));
  expect(withAwaitedBases({ logs: read, active: undefined }).logs[0].baseline).toEqual({ log: 'host:4' });
});

test('the scope of a merged log is not that of a file of its name', () => {
  const file = newLogView('host:1', 1 as LogId, 'app.hpl', '/srv');
  const merge = { parts: ['host:3', 'host:4'], names: ['a.hpl', 'b.hpl'], threads: 'groups' } as const;
  const merged = { ...newLogView('merged:2', undefined, 'app.hpl', ''), merge };
  const waiting = readFragment('#log=app.hpl&merged=groups&part=a.hpl&part=b.hpl&thread=main').logs;
  const { logs } = withLinkedScopes([file, merged], { waiting, seen: new Set() });
  expect(logs.map(({ scope }) => scope.threads.join())).toEqual(['', 'main']);
});
