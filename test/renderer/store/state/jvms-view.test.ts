import { expect, test } from 'vitest';
import { NO_JVMS, withAgent, withJvms } from '../../../../renderer/store/state/jvms-view.ts';
import type { AgentStatus } from '../../../../shared/agent/agent-options.ts';
import type { JvmId } from '../../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../../shared/protocol/messages.ts';

const A = 'a' as JvmId;
const ASKED = { problem: undefined, isAsked: true };
const AGENT: AgentStatus = { isSampling: false, logPath: 'a.hpl' };

test('an agent that fails keeps what it said before, beside the reason', () => {
  const asked = withAgent(NO_JVMS, A, ASKED);
  expect(asked.agents[A]).toEqual({ agent: undefined, problem: undefined, isAsked: true });
  const known = withJvms(asked, { type: 'agent', jvm: A, answer: { state: 'known', agent: AGENT } });
  expect(known.agents[A]).toEqual({ agent: AGENT, problem: undefined, isAsked: false });
  const failed = withJvms(withAgent(known, A, ASKED), {
    type: 'agent',
    jvm: A,
    answer: { state: 'failed', text: 'It has ended.' },
  });
  expect(failed.agents[A]).toEqual({ agent: AGENT, problem: 'It has ended.', isAsked: false });
  expect(withAgent(failed, A, ASKED).agents[A]).toEqual({ agent: AGENT, problem: undefined, isAsked: true });
});

test('the state of sampling is that of its log', () => {
  const log = 3 as LogId;
  const view = withJvms(NO_JVMS, { type: 'sampling', log, state: 'running' });
  expect(withJvms(view, { type: 'sampling', log, state: 'over' }).samplings).toEqual({ 3: 'over' });
});
