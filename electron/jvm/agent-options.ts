import { resolve } from 'node:path';

/** Honest Profiler's agent in the arguments of a JVM. */
export interface HonestAgent {
  readonly library: string;
  /** The log that it writes; undefined if it chose the name itself: `log-<pid>-<milliseconds>.hpl`. */
  readonly log: string | undefined;
  /** Its control port; undefined if it has none. */
  readonly control: { readonly host: string; readonly port: number } | undefined;
}

const AGENT = /^-agentpath:(.*liblagent\.(?:so|dylib|dll))(?:=(.*))?$/;

/**
 * Finds Honest Profiler's agent among JVM arguments. A relative log path is resolved against `folder`, the working
 * directory of the JVM.
 */
export function honestAgentIn(jvmArguments: readonly string[], folder: string): HonestAgent | undefined {
  for (const argument of jvmArguments) {
    const found = AGENT.exec(argument);
    if (found === null) continue;
    const options = new Map<string, string>();
    for (const option of (found.at(2) ?? '').split(',')) {
      const equals = option.indexOf('=');
      if (equals > 0) options.set(option.slice(0, equals), option.slice(equals + 1));
    }
    const log = options.get('logPath');
    const host = options.get('host');
    const port = Number(options.get('port') ?? NaN);
    const hasControl = host !== undefined && Number.isInteger(port) && port > 0 && port < 65_536;
    return {
      library: found[1],
      log: log === undefined ? undefined : resolve(folder, log),
      control: hasControl ? { host, port } : undefined,
    };
  }
  return undefined;
}
