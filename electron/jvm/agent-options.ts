import { isAbsolute, resolve } from 'node:path';
import { parseAgentOptions } from '../../shared/agent/agent-options.ts';
import type { AgentAddress } from './agent-control.ts';

/** Honest Profiler's agent in the arguments of a JVM. */
export interface HonestAgent {
  readonly library: string;
  /** The log that it writes, as the JVM sees it; undefined if it chose the name itself: `log-<pid>-<milliseconds>.hpl`. */
  readonly log: string | undefined;
  /** Its control port; undefined if it has none. */
  readonly control: AgentAddress | undefined;
}

/** A longer argument is cut: it would take long to be searched, and anybody can start a program with one. */
const MOST_ARGUMENT_CHARACTERS = 16_384;
/** By its path, or by its name: the JVM looks for the library then. */
const AGENT = /^-(?:agentpath:(.*liblagent\.(?:so|dylib|dll))|agentlib:(lagent))(?:=(.*))?$/;

/**
 * Finds Honest Profiler's agent among JVM arguments. A relative log path is resolved against `folder`, the working
 * directory of the JVM; the log is unknown if that is.
 */
export function honestAgentIn(
  jvmArguments: readonly string[],
  folder: string | undefined,
): HonestAgent | undefined {
  for (const argument of jvmArguments) {
    const found = AGENT.exec(argument.slice(0, MOST_ARGUMENT_CHARACTERS));
    if (found === null) continue;
    const { logPath, host, port: portText } = parseAgentOptions(found.at(3) ?? '');
    const port = Number(portText ?? NaN);
    const hasControl = host !== undefined && Number.isInteger(port) && port > 0 && port < 65_536;
    return {
      library: found.at(1) ?? found[2],
      log: logPath === undefined ? undefined : pathIn(folder, logPath),
      control: hasControl ? { host, port } : undefined,
    };
  }
  return undefined;
}

function pathIn(folder: string | undefined, path: string): string | undefined {
  if (isAbsolute(path)) return path;
  return folder === undefined ? undefined : resolve(folder, path);
}
