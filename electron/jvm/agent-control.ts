import { createConnection } from 'node:net';
import {
  type AgentChanges,
  type AgentState,
  type AgentStatus,
  MOST_AGENT_COMMAND_BYTES,
} from '../../shared/agent/agent-options.ts';
import { errnoOf, UserError } from '../source/source-error.ts';

/** Where an agent listens. */
export interface AgentAddress {
  readonly host: string;
  readonly port: number;
}

/** The parameters that an agent reports and changes. */
export const AGENT_PARAMETERS = ['interval', 'intervalMin', 'intervalMax', 'maxFrames', 'logPath'] as const;
export type AgentParameter = (typeof AGENT_PARAMETERS)[number];

/** An agent did not do what it was told. */
export class AgentControlError extends UserError {
  override readonly name = 'AgentControlError';
}

const TIMEOUT_MS = 3_000;
/** A path has at most 4096 bytes. */
const MOST_REPLY_BYTES = 8_192;
/** The number of questions whether it has started or stopped, with a pause between. */
const MOST_QUESTIONS = 20;
const ASK_EVERY_MS = 50;

/**
 * Controls Honest Profiler's agent over its control port (specs: hpl-and-lean-profile, section 5): one command per
 * connection, which the agent closes. The agent replies to questions only; what it refuses it says on the standard error
 * of its JVM. So each change is followed by a question whether it was made. All methods throw AgentControlError.
 */
export class AgentControl {
  readonly #address: AgentAddress;
  readonly #name: string;
  readonly #timeoutMs: number;

  constructor(address: AgentAddress, timeoutMs = TIMEOUT_MS) {
    this.#address = address;
    this.#name = `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
    this.#timeoutMs = timeoutMs;
  }

  async status(): Promise<AgentStatus> {
    const reply = await this.#ask('status');
    const found = /^(started|stopped),([^\n]*)\n$/.exec(reply);
    if (found === null) throw this.#unexpected('status', reply);
    return { isSampling: found[1] === 'started', logPath: found[2] };
  }

  /** The value of a parameter as text: `1 5` for an interval. */
  async get(parameter: AgentParameter): Promise<string> {
    const value = await this.#find(parameter);
    if (value === undefined) throw this.#error(`does not know ${parameter}`);
    return value;
  }

  /** The parameter as text; undefined if the agent does not know it. */
  async #find(parameter: AgentParameter): Promise<string | undefined> {
    const reply = await this.#ask(`get ${parameter}`);
    if (reply === '') return undefined;
    const form =
      parameter === 'logPath' ? /^[^\n]*\n$/ : parameter === 'interval' ? /^\d+ \d+\n$/ : /^\d+\n$/;
    if (!form.test(reply)) throw this.#unexpected(`get ${parameter}`, reply);
    return reply.slice(0, -1);
  }

  async state(): Promise<AgentState> {
    const status = await this.status();
    const [intervalMin, intervalMax] = (await this.#find('interval'))?.split(' ').map(Number) ?? [];
    const frames = await this.#find('maxFrames');
    return {
      ...status,
      intervalMin,
      intervalMax,
      maxFrames: frames === undefined ? undefined : Number(frames),
    };
  }

  /** Starts sampling. An agent that samples already goes on. */
  async start(): Promise<AgentStatus> {
    return this.#switch('start', true);
  }

  async stop(): Promise<AgentStatus> {
    return this.#switch('stop', false);
  }

  /** Changes settings, which the agent uses from its next start on. It ignores them while it samples. */
  async set(changes: AgentChanges): Promise<void> {
    if ((await this.status()).isSampling)
      throw this.#error('is sampling, and would ignore new settings; stop it first');
    const { intervalMin, intervalMax, maxFrames, logPath } = changes;
    if (intervalMin !== undefined && intervalMax !== undefined) {
      await this.#change('interval', `${intervalMin} ${intervalMax}`);
    } else {
      if (intervalMin !== undefined) await this.#change('intervalMin', String(intervalMin));
      if (intervalMax !== undefined) await this.#change('intervalMax', String(intervalMax));
    }
    if (maxFrames !== undefined) await this.#change('maxFrames', String(maxFrames));
    if (logPath !== undefined) {
      if (/\s/.test(logPath)) throw this.#error('takes no path with blanks');
      await this.#change('logPath', logPath);
    }
  }

  async #change(parameter: AgentParameter, value: string): Promise<void> {
    await this.#ask(`set ${parameter} ${value}`);
    const now = await this.get(parameter);
    if (now !== value) throw this.#error(`has not taken ${parameter} ${value}: it is ${now}`);
  }

  async #switch(command: 'start' | 'stop', isSampling: boolean): Promise<AgentStatus> {
    await this.#ask(command);
    for (let question = 1; ; question++) {
      const status = await this.status();
      if (status.isSampling === isSampling) return status;
      if (question === MOST_QUESTIONS) break;
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
    throw this.#error(
      `was told to ${command}, and has not; the standard error of its JVM may say why (a log that cannot be written?)`,
    );
  }

  /** Sends a command; its reply, which may be empty. */
  #ask(command: string): Promise<string> {
    if (Buffer.byteLength(command) > MOST_AGENT_COMMAND_BYTES)
      return Promise.reject(
        this.#error(`reads commands of ${MOST_AGENT_COMMAND_BYTES} bytes at most: ${command}`),
      );
    if (/\p{Cc}/u.test(command))
      return Promise.reject(this.#error('takes no command with control characters'));
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let length = 0;
      const socket = createConnection(this.#address);
      const fail = (reason: string): void => {
        clearTimeout(timer);
        socket.destroy();
        reject(this.#error(reason));
      };
      // The time limit covers the whole exchange. An agent that sends a byte now and then would never reach a limit per byte.
      const timer = setTimeout(
        () => fail(`has not answered ${command} within ${this.#timeoutMs / 1000} s`),
        this.#timeoutMs,
      );
      socket.on('connect', () => socket.write(command));
      socket.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > MOST_REPLY_BYTES) fail('answers at length, and is no agent of Honest Profiler');
        else pieces.push(piece);
      });
      socket.on('error', (error) => {
        const code = errnoOf(error);
        // The agent closes without having read all of the command.
        if (code === 'ECONNRESET' || code === 'EPIPE') return;
        fail(
          code === 'ECONNREFUSED'
            ? 'nothing listens there; the JVM may have ended'
            : `cannot be reached (${code ?? error.message})`,
        );
      });
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(Buffer.concat(pieces).toString());
      });
    });
  }

  #unexpected(command: string, reply: string): AgentControlError {
    const shown = reply.length > 60 ? `${reply.slice(0, 60)}…` : reply;
    return this.#error(
      reply === ''
        ? `has not answered ${command}, and may be no agent of Honest Profiler`
        : `answered ${command} with ${JSON.stringify(shown)}, and may be no agent of Honest Profiler`,
    );
  }

  #error(reason: string): AgentControlError {
    return new AgentControlError(`agent at ${this.#name}: ${reason}`);
  }
}
