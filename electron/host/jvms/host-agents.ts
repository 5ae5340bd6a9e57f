import { isAbsolute, join } from 'node:path';
import type { AgentCommand } from '../../../shared/protocol/client-messages.ts';
import type { AgentAnswer } from '../../../shared/protocol/jvm-messages.ts';
import { printable } from '../../../shared/text/printable.ts';
import { AgentControl, AgentControlError } from '../../jvm/agent-control.ts';
import { jvmName } from '../../jvm/attach.ts';
import type { Jvm } from '../../jvm/jvm.ts';
import { processLink, findVisiblePath, isInOtherNetwork } from '../../jvm/process-places.ts';
import type { RealPaths } from '../../source/real-paths.ts';

/** Asks the agent of a JVM over its control port, or tells it something. What the agent refuses is an answer, too. */
export async function askAgent(jvm: Jvm, command: AgentCommand): Promise<AgentAnswer> {
  try {
    if (jvm.agent === undefined) return failed(NO_AGENT);
    if (jvm.agent.control === undefined) return failed(NO_CONTROL);
    const control = controlOf(jvm);
    if (control === undefined) return failed(OTHER_NETWORK);
    const agent = await control[command]();
    return { state: 'known', agent: { ...agent, logPath: printable(agent.logPath) } };
  } catch (error) {
    if (!(error instanceof AgentControlError)) throw error;
    return failed(error.message);
  }
}

/**
 * The log that the agent of a JVM writes, as this process sees it: it may have got another one over its control port.
 * Rejects with AgentControlError if there is none, or its file system does not answer.
 */
export async function agentLogOf(jvm: Jvm, files: Pick<RealPaths, 'within'>): Promise<string> {
  if (jvm.agent === undefined) throw new AgentControlError(`${jvmName(jvm)}: ${NO_AGENT}`);
  // An agent that does not answer may write its log nevertheless.
  const told = await controlOf(jvm)
    ?.status()
    .catch(() => undefined);
  const hasTold = told !== undefined && told.logPath !== '';
  const path = hasTold ? inWorkingFolder(jvm, told.logPath) : jvm.agent.log;
  if (path === undefined) {
    const why = hasTold
      ? `the log of its agent, ${told.logPath}, is in its working folder, which is not known`
      : 'its agent has no log open; it may not have started to sample';
    throw new AgentControlError(`${jvmName(jvm)}: ${why}`);
  }
  const log = await files.within(() => findVisiblePath(jvm.pid, path));
  if (log === undefined)
    throw new AgentControlError(
      `${jvmName(jvm)}: the log of its agent, ${path}, was not found in time: a file system does not answer`,
    );
  return log;
}

const NO_AGENT = 'it was started without Honest Profiler’s agent';
const NO_CONTROL =
  'its agent has no control port, which only its options host and port at the start can open';
const OTHER_NETWORK = 'its control port is in the network of its container, in which Leanscope is not';

/** Undefined if there is no port, and if another program may have its address here. */
function controlOf(jvm: Jvm): AgentControl | undefined {
  const address = jvm.agent?.control;
  return address === undefined || isInOtherNetwork(jvm) ? undefined : new AgentControl(address);
}

/** Undefined if that folder is not known. */
function inWorkingFolder({ pid }: Jvm, path: string): string | undefined {
  if (isAbsolute(path)) return path;
  const folder = processLink(pid, 'cwd');
  return folder && join(folder, path);
}

/** A sentence. */
function failed(reason: string): AgentAnswer {
  const text = printable(reason);
  return { state: 'failed', text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}
