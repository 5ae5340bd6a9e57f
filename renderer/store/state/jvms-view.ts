/** The JVMs that a window shows. Functions here return changed views and have no effects. */
import type { AgentStatus } from '../../../shared/agent/agent-options.ts';
import type {
  AttachProgress,
  JvmEntry,
  JvmId,
  RecordingState,
  SamplingState,
} from '../../../shared/protocol/jvm-messages.ts';
import type { HostMessage, LogId } from '../../../shared/protocol/messages.ts';

/** The messages that tell of JVMs, and of their samplings and recordings. */
type MessageOfJvms = Extract<
  HostMessage,
  { readonly type: 'jvms' | 'attach' | 'agent' | 'sampling' | 'recording' }
>;

/** Honest Profiler's agent in a JVM, as far as it has answered. */
export interface AgentView {
  readonly agent: AgentStatus | undefined;
  /** Why it did not do what it was told last: a sentence. */
  readonly problem: string | undefined;
  readonly isAsked: boolean;
}

/** The JVMs of the host's machine. */
export interface JvmsView {
  /** As of the last list that was sent; undefined before the first one. */
  readonly list: readonly JvmEntry[] | undefined;
  /** Progress of the JVMs that this window attaches to, until their logs are open. */
  readonly progress: Readonly<Record<JvmId, AttachProgress | undefined>>;
  /** The agents that this window has asked. */
  readonly agents: Readonly<Record<JvmId, AgentView | undefined>>;
  /** The logs of threads that the host samples by thread dumps. */
  readonly samplings: Readonly<Record<LogId, SamplingState | undefined>>;
  /** The logs of recordings, also those that were closed and are read on for merged ones. */
  readonly recordings: Readonly<Record<LogId, RecordingState | undefined>>;
}

export const NO_JVMS: JvmsView = {
  list: undefined,
  progress: {},
  agents: {},
  samplings: {},
  recordings: {},
};

const UNKNOWN_AGENT: AgentView = { agent: undefined, problem: undefined, isAsked: false };

/** The view after a message of the host. */
export function withJvms(view: JvmsView, message: MessageOfJvms): JvmsView {
  switch (message.type) {
    case 'jvms':
      return { ...view, list: message.jvms };
    case 'attach': {
      const { jvm, progress } = message;
      const shown = progress.state === 'attached' ? undefined : progress;
      return { ...view, progress: { ...view.progress, [jvm]: shown } };
    }
    case 'agent': {
      const { jvm, answer } = message;
      const known =
        answer.state === 'known' ? { agent: answer.agent, problem: undefined } : { problem: answer.text };
      return withAgent(view, jvm, { ...known, isAsked: false });
    }
    case 'sampling':
      return { ...view, samplings: { ...view.samplings, [message.log]: message.state } };
    case 'recording':
      return { ...view, recordings: { ...view.recordings, [message.log]: message.state } };
  }
}

/** The view with news of an agent. After a failure its last known state stays beside the reason. */
export function withAgent(view: JvmsView, jvm: JvmId, news: Partial<AgentView>): JvmsView {
  const agent = { ...(view.agents[jvm] ?? UNKNOWN_AGENT), ...news };
  return { ...view, agents: { ...view.agents, [jvm]: agent } };
}
