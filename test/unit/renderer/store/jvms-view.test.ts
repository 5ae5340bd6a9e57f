import { expect, test } from 'vitest';
import {
  matchingJvms,
  NO_JVMS,
  withAskedAgent,
  withJvms,
  withSampling,
} from '../../../../renderer/store/jvms-view.ts';
import type { AgentState } from '../../../../shared/agent/agent-state.ts';
import type { JvmEntry, JvmId } from '../../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';

const A = 'a' as JvmId;
const AGENT: AgentState = {
  isSampling: false,
  logPath: 'a.hpl',
  intervalMin: 1,
  intervalMax: 5,
  maxFrames: 128,
};

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

test('an agent that fails keeps what it said before, beside the reason', () => {
  const asked = withAskedAgent(NO_JVMS, A);
  expect(asked.agents[A]).toEqual({ agent: undefined, problem: undefined, isAsked: true });
  const known = withJvms(asked, { type: 'agent', jvm: A, answer: { state: 'known', agent: AGENT } });
  expect(known.agents[A]).toEqual({ agent: AGENT, problem: undefined, isAsked: false });
  const failed = withJvms(withAskedAgent(known, A), {
    type: 'agent',
    jvm: A,
    answer: { state: 'failed', text: 'It has ended.' },
  });
  expect(failed.agents[A]).toEqual({ agent: AGENT, problem: 'It has ended.', isAsked: false });
  expect(withAskedAgent(failed, A).agents[A]).toEqual({ agent: AGENT, problem: undefined, isAsked: true });
});

test('the state of sampling is that of its log', () => {
  const log = 3 as LogId;
  const view = withSampling(NO_JVMS, log, 'running');
  expect(withSampling(view, log, 'over').samplings).toEqual({ 3: 'over' });
});
