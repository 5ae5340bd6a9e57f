/** The JVMs that a window shows. Functions here return changed views and have no effects. */
import type { AgentStatus } from '../../../shared/agent/agent-options.ts';
import type {
  AgentAnswer,
  AttachProgress,
  JvmEntry,
  JvmHostMessage,
  JvmId,
  RecordingState,
  SamplingState,
} from '../../../shared/protocol/jvm-messages.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';

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
export function withJvms(view: JvmsView, message: JvmHostMessage): JvmsView {
  switch (message.type) {
    case 'jvms':
      return { ...view, list: message.jvms };
    case 'attach': {
      const { jvm, progress } = message;
      const isAttached = progress.state === 'attached';
      return {
        ...view,
        progress: { ...view.progress, [jvm]: isAttached ? undefined : progress },
      };
    }
    case 'agent':
      return withAgent(view, message.jvm, (known) => answered(known, message.answer));
  }
}

/** The view with a new state of the sampling of a log. */
export function withSampling(view: JvmsView, log: LogId, state: SamplingState): JvmsView {
  return { ...view, samplings: { ...view.samplings, [log]: state } };
}

/** The view with a new state of the recording that a log shows. */
export function withRecording(view: JvmsView, log: LogId, state: RecordingState): JvmsView {
  return { ...view, recordings: { ...view.recordings, [log]: state } };
}

/** The agent was asked; what it does is known when it answers. */
export function withAskedAgent(view: JvmsView, jvm: JvmId): JvmsView {
  return withAgent(view, jvm, (known) => ({ ...known, problem: undefined, isAsked: true }));
}

function withAgent(view: JvmsView, jvm: JvmId, change: (known: AgentView) => AgentView): JvmsView {
  return { ...view, agents: { ...view.agents, [jvm]: change(view.agents[jvm] ?? UNKNOWN_AGENT) } };
}

/** After a failure the last known state of the agent stays beside the reason. */
function answered(known: AgentView, answer: AgentAnswer): AgentView {
  return answer.state === 'known'
    ? { agent: answer.agent, problem: undefined, isAsked: false }
    : { ...known, problem: answer.text, isAsked: false };
}
