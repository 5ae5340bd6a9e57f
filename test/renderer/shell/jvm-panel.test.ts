import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { validateClientMessage } from '../../../shared/protocol/client-messages.ts';
import { AgentControls, changesOf, textsAfter, textsOf } from '../../../renderer/shell/JvmRow.tsx';
import { matchingJvms } from '../../../renderer/shell/JvmPanel.tsx';
import type { AgentState } from '../../../shared/agent/agent-options.ts';
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

const AGENT: AgentState = {
  isSampling: false,
  logPath: 'a.hpl',
  intervalMin: 2,
  intervalMax: 5,
  maxFrames: 128,
};
const SHOWN = { intervalMin: '2', intervalMax: '5', maxFrames: '128', logPath: 'a.hpl' };

test('what the agent has taken replaces what was typed, and nothing else does', () => {
  expect(textsOf(AGENT)).toEqual(SHOWN);
  const typed = { ...SHOWN, intervalMax: ' 7 ', logPath: 'new.hpl' };
  const started = { ...AGENT, isSampling: true };
  expect(textsAfter(typed, AGENT, started)).toEqual(typed);
  expect(textsAfter(typed, AGENT, { ...AGENT, intervalMax: 7 })).toEqual({ ...typed, intervalMax: '7' });
});

test('an agent from before its settings could be changed has no fields for them', () => {
  const fields = (agent: AgentState): readonly string[] => {
    const view = { agent, problem: undefined, isAsked: false };
    const markup = renderToStaticMarkup(createElement(AgentControls, { jvm: 'a' as JvmId, view }));
    return Array.from(markup.matchAll(/data-testid="set-(\w+)"|(This agent is from before)/g), (found) =>
      found.slice(1).join(''),
    );
  };
  const old = { isSampling: false, logPath: 'a.hpl' };
  expect(fields(old)).toEqual(['This agent is from before']);
  expect(fields({ ...old, intervalMin: 2, intervalMax: 5 })).toEqual([
    'intervalMin',
    'intervalMax',
    'logPath',
  ]);
  expect(changesOf(old, { ...textsOf(old), logPath: 'b.hpl' })).toEqual({
    changes: { logPath: 'b.hpl' },
    problem: undefined,
  });
});

test('while the agent is asked no button is disabled, which would lose the focus', () => {
  const buttons = (isAsked: boolean): readonly string[] => {
    const view = { agent: AGENT, problem: undefined, isAsked };
    const markup = renderToStaticMarkup(createElement(AgentControls, { jvm: 'a' as JvmId, view }));
    return [...markup.matchAll(/<button([^>]*)>([^<]*)/g)].map(
      ([, attributes, text]) => `${text}:${/ (?:aria-)?disabled="[^"]*"/.exec(attributes)?.[0] ?? ''}`,
    );
  };
  expect([buttons(true), buttons(false)]).toEqual([
    ['Start sampling: aria-disabled="true"', 'Ask again: aria-disabled="true"', 'Set: aria-disabled="true"'],
    [
      'Start sampling: aria-disabled="false"',
      'Ask again: aria-disabled="false"',
      'Set: aria-disabled="true"',
    ],
  ]);
});

test('only what was changed is set', () => {
  expect(changesOf(AGENT, SHOWN)).toEqual({ changes: {}, problem: undefined });
  expect(changesOf(AGENT, { ...SHOWN, intervalMax: ' 7 ', logPath: '/tmp/b.hpl' })).toEqual({
    changes: { intervalMax: 7, logPath: '/tmp/b.hpl' },
    problem: undefined,
  });
});

test('a path that fills the command of the agent is set; a longer one is for the host to answer', () => {
  const logPath = `/tmp/${'a'.repeat(82)}`;
  expect(changesOf(AGENT, { ...SHOWN, logPath })).toEqual({ changes: { logPath }, problem: undefined });
  const changes = { logPath: 'a'.repeat(3_500) };
  const message = { type: 'controlAgent', jvm: 'a', command: { do: 'set', changes } };
  expect(validateClientMessage(JSON.stringify(message))).toEqual({ message });
});

test.each([
  [{ intervalMin: '0' }, 'Shortest interval is a whole number from 1 to 2000000.'],
  [{ maxFrames: '2048' }, 'Frames of a stack is a whole number from 1 to 2047.'],
  [{ maxFrames: '' }, 'Frames of a stack is a whole number from 1 to 2047.'],
  [{ intervalMin: '6' }, 'The longest interval is shorter than the shortest.'],
  [{ logPath: 'my log.hpl' }, 'Log file: the control port takes a path without blanks.'],
  [{ logPath: '' }, 'Log file: the control port takes a path without blanks.'],
  [
    { logPath: `/tmp/${'é'.repeat(42)}` },
    'Log file: the control port takes a path of at most 87 bytes. This one has 89.',
  ],
])('%o is not set: %s', (typed, problem) => {
  expect(changesOf(AGENT, { ...SHOWN, ...typed })).toEqual({ changes: {}, problem });
});
