import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AgentControls } from '../../../renderer/shell/JvmRow.tsx';
import { matchingJvms } from '../../../renderer/shell/JvmPanel.tsx';
import type { JvmEntry, JvmId } from '../../../shared/protocol/jvm-messages.ts';

function entry(pid: number, change: Partial<JvmEntry>): JvmEntry {
  return {
    id: String(pid) as JvmId,
    pid,
    main: 'Main',
    commandLine: '-Xmx64m Main',
    version: '17.0.12',
    user: 'root',
    uptime: 1,
    cpu: 0,
    obstacle: undefined,
    note: undefined,
    hasRecorder: true,
    agent: undefined,
    isOpen: false,
    ...change,
  };
}

test('a list is filtered by all words, in name, arguments, pid, version and user', () => {
  const list = [
    entry(12, { main: 'com.acme.Shop', user: 'web' }),
    entry(345, { commandLine: '-Dshop=1 Other', version: undefined }),
    entry(6, { main: 'Gradle', version: '25.0.1' }),
  ];
  const found = (text: string): number[] => matchingJvms(list, text).map(({ pid }) => pid);
  expect([
    found(''),
    found('  '),
    found('SHOP'),
    found('shop web'),
    found('25'),
    found('34'),
    found('zz'),
  ]).toEqual([[12, 345, 6], [12, 345, 6], [12, 345], [12], [6], [345], []]);
});

test('while the agent is asked its button is not disabled, which would lose the focus', () => {
  const button = (isAsked: boolean, isSampling: boolean | undefined): string => {
    const agent = isSampling === undefined ? undefined : { isSampling, logPath: 'a.hpl' };
    const view = { agent, problem: undefined, isAsked };
    const markup = renderToStaticMarkup(createElement(AgentControls, { jvm: 'a' as JvmId, view }));
    const [, attributes, text] = /<button([^>]*)>([^<]*)/.exec(markup)!;
    return `${text}:${/ (?:aria-)?disabled="[^"]*"/.exec(attributes)?.[0] ?? ''}`;
  };
  expect([button(true, undefined), button(true, false), button(false, true)]).toEqual([
    'Ask again: aria-disabled="true"',
    'Start sampling: aria-disabled="true"',
    'Stop sampling: aria-disabled="false"',
  ]);
});
