import { expect, test } from 'vitest';
import { HostClient } from '../../../renderer/connection/host-client.ts';
import { setLogOfDelta, DELTA_PREFIX } from '../../../shared/protocol/transport.ts';
import {
  type Epoch,
  type HostMessage,
  type LogId,
  PROTOCOL_VERSION,
  type Revision,
} from '../../../shared/protocol/messages.ts';
import { type PairedTransport, transportPair } from '../../support/transport-pair.ts';
import { hello, logStatus } from '../../support/window-events.ts';

const log = 3 as LogId;
const at = (revision: number): [Epoch, Revision] => [0 as Epoch, revision as Revision];

/** A client, what it told the window, and the host's end of each of its transports. */
class Talk {
  readonly told: string[] = [];
  readonly heard: string[] = [];
  readonly hosts: PairedTransport[] = [];
  readonly delays: number[] = [];
  /** Why no transport can be opened again. */
  obstacle: string | undefined;
  #tasks: (() => Promise<void>)[] = [];
  readonly client: HostClient;

  constructor(reconnects = true) {
    this.client = new HostClient({
      obstacle: reconnects ? () => Promise.resolve(this.obstacle) : undefined,
      openTransport: () => {
        const [host, client] = transportPair();
        this.hosts.push(host);
        host.onMessage((message) => this.heard.push(message as string));
        return client;
      },
      onEvent: (event) => {
        if (event.type === 'connection') this.told.push(event.connection.state);
        else if (event.type === 'host') this.told.push(event.message.type);
        else this.told.push(`delta of ${event.log}: ${new Uint8Array(event.message).at(-1)}`);
      },
      schedule: (task, ms) => {
        this.delays.push(ms);
        this.#tasks.push(task);
      },
    });
    this.client.connect();
  }

  async say(...messages: readonly (HostMessage | ArrayBuffer)[]): Promise<void> {
    for (const message of messages) {
      this.hosts.at(-1)!.send(message instanceof ArrayBuffer ? message : JSON.stringify(message));
    }
    await turn();
  }

  async lose(): Promise<void> {
    this.hosts.at(-1)!.close();
    await turn();
  }

  /** The time for the next try has come. */
  async retry(): Promise<void> {
    for (const task of this.#tasks.splice(0)) void task();
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function delta(mark: number): ArrayBuffer {
  const message = new ArrayBuffer(DELTA_PREFIX + 1);
  setLogOfDelta(message, log);
  new Uint8Array(message)[DELTA_PREFIX] = mark;
  return message;
}

test('greets after the host has greeted, and tells what comes', async () => {
  const talk = new Talk();
  talk.client.send({ type: 'openSample', sample: 'jfr' });
  await talk.say(hello(3), { type: 'status', log, status: logStatus({}) }, delta(7));
  talk.client.ack(log, ...at(5));
  await turn();
  expect(talk.told).toEqual(['connecting', 'open', 'hello', 'status', 'delta of 3: 7']);
  expect(talk.heard).toEqual([
    JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION }),
    '{"type":"ack","log":3,"epoch":0,"revision":5}',
  ]);
});

test('another protocol ends the talk with advice', async () => {
  const talk = new Talk();
  await talk.say({ ...hello(3), protocol: 1 } as HostMessage);
  await turn();
  expect(talk.told).toEqual(['connecting', 'closed']);
  expect([talk.heard, talk.delays]).toEqual([[], []]);
  expect(talk.hosts[0].closedBecause).toBe('closed by the other end');
});

test('a lost connection is tried again, later and later, and at once after one that worked', async () => {
  const talk = new Talk();
  await talk.say(hello());
  for (let loss = 0; loss < 7; loss++) {
    await talk.lose();
    await talk.retry();
  }
  expect(talk.delays).toEqual([250, 500, 500, 500, 500, 500, 500]);
  await talk.say(hello());
  await talk.lose();
  expect(talk.delays.at(-1)).toBe(250);
  expect(talk.told.slice(0, 6)).toEqual(['connecting', 'open', 'hello', 'lost', 'connecting', 'lost']);
});

test('no transport is opened while the host does not answer, and the reason is told', async () => {
  const talk = new Talk();
  await talk.say(hello());
  await talk.lose();
  talk.obstacle = 'Leanscope was restarted.';
  await talk.retry();
  await talk.retry();
  expect(talk.hosts).toHaveLength(1);
  expect(talk.told.slice(3)).toEqual(['lost', 'lost', 'lost']);
  talk.obstacle = undefined;
  await talk.retry();
  expect([talk.hosts.length, talk.told.at(-1)]).toEqual([2, 'connecting']);
});

test('where a loss is for good it is not tried again', async () => {
  const desktop = new Talk(false);
  await desktop.say(hello());
  await desktop.lose();
  expect([desktop.told.at(-1), desktop.delays]).toEqual(['closed', []]);
});

test('what a transport says after it was given up is not heard', async () => {
  const talk = new Talk();
  await talk.say(hello());
  const [first] = talk.hosts;
  await talk.lose();
  await talk.retry();
  first.send(JSON.stringify(hello()));
  await turn();
  expect(talk.told).toEqual(['connecting', 'open', 'hello', 'lost', 'connecting']);
});
