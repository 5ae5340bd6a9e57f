import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AgentAddress } from '../../electron/jvm/agent-control.ts';

/**
 * A control port as Honest Profiler's agent has it (specs: hpl-and-lean-profile, section 5): one `recv` of at most 99
 * bytes per connection, commands known by their beginning, no reply to what is refused.
 */
export class FakeControlPort {
  isSampling = false;
  logPath = '/tmp/app.hpl';
  intervalMin = 1;
  intervalMax = 1;
  maxFrames = 128;
  /** A start has no effect: the log cannot be written. */
  isBroken = false;
  /** All commands, in order. */
  readonly commands: string[] = [];

  /** What a command is replied. */
  answer(command: string): string {
    this.commands.push(command);
    if (command.startsWith('start')) {
      this.isSampling = !this.isBroken;
    } else if (command.startsWith('stop')) {
      this.isSampling = false;
    } else if (command.startsWith('status')) {
      return `${this.isSampling ? 'started' : 'stopped'},${this.logPath}\n`;
    } else if (command.startsWith('get ')) {
      return this.#get(command.slice(4));
    } else if (command.startsWith('set ') && !this.isSampling) {
      this.#set(command.slice(4).split(' '));
    }
    return '';
  }

  #get(parameter: string): string {
    if (parameter.startsWith('intervalMin')) return `${this.intervalMin}\n`;
    if (parameter.startsWith('intervalMax')) return `${this.intervalMax}\n`;
    if (parameter.startsWith('interval')) return `${this.intervalMin} ${this.intervalMax}\n`;
    if (parameter.startsWith('maxFrames')) return `${this.maxFrames}\n`;
    return parameter.startsWith('logPath') ? `${this.logPath}\n` : '';
  }

  #set([parameter, ...values]: readonly string[]): void {
    const [first, second] = values.map((value) => Number.parseInt(value, 10) || 0);
    if (parameter === 'intervalMin') this.intervalMin = Math.max(1, first);
    else if (parameter === 'intervalMax') this.intervalMax = Math.max(1, first);
    else if (parameter === 'interval') [this.intervalMin, this.intervalMax] = [first, second];
    else if (parameter === 'maxFrames') this.maxFrames = first >= 1 && first <= 2047 ? first : 128;
    else if (parameter === 'logPath') this.logPath = values[0];
  }
}

/** Listens as `agent`, or handles each connection by `handle`. Ends with the test. */
export async function listenAsAgent(
  agent: FakeControlPort,
  handle: (socket: Socket) => void = (socket) => {
    socket.once('data', (command: Buffer) => socket.end(agent.answer(command.subarray(0, 99).toString())));
  },
): Promise<AgentAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
