import type { ClientDialogs } from '../../electron/host/host-options.ts';
import { logOfDelta, type Transport } from '../../shared/protocol/transport.ts';
import type { HostMessage, LogId, LogStatus } from '../../shared/protocol/messages.ts';
import type { ClientMessage } from '../../shared/protocol/client-messages.ts';
import { PROTOCOL_VERSION } from '../../shared/protocol/messages.ts';
import { MirroredCopy } from './mirrored-copy.ts';
import { type PairedTransport, transportPair } from './transport-pair.ts';
import { waitFor } from './wait-for.ts';

/** A client of the host without a window: greets, subscribes when told to, acknowledges. */
export class TestClient<Of extends Transport = Transport> {
  readonly messages: HostMessage[] = [];
  readonly copies = new Map<LogId, MirroredCopy>();
  readonly statuses = new Map<LogId, LogStatus>();
  readonly transport: Of;

  /** Greets with this version of the protocol. */
  constructor(transport: Of, protocol: number = PROTOCOL_VERSION) {
    this.transport = transport;
    transport.onMessage((message) => this.#receive(message, protocol));
  }

  send(message: ClientMessage): void {
    this.transport.send(JSON.stringify(message));
  }

  subscribe(log: LogId): MirroredCopy {
    const copy = new MirroredCopy();
    this.copies.set(log, copy);
    this.send({ type: 'subscribe', log, samples: true });
    return copy;
  }

  /** 'hello', 'opened 0', 'problem: …', without the states of logs and of sources, which may come at any time. */
  get heard(): readonly string[] {
    return this.messages
      .filter(({ type }) => type !== 'status' && type !== 'sources')
      .map((message) => {
        switch (message.type) {
          case 'opened':
            return `opened ${message.log.id} ${message.log.name}${message.show ? ' to be shown' : ''}`;
          case 'closed':
            return `closed ${message.log}`;
          case 'problem':
            return `problem: ${message.text}`;
          case 'recent':
            return `recent: ${message.files.map(({ name }) => name).join(' ')}`;
          default:
            return message.type;
        }
      });
  }

  #receive(message: string | ArrayBuffer, protocol: number): void {
    if (typeof message === 'string') {
      const parsed = JSON.parse(message) as HostMessage;
      this.messages.push(parsed);
      if (parsed.type === 'hello') this.send({ type: 'hello', protocol });
      if (parsed.type === 'status') this.statuses.set(parsed.log, parsed.status);
      return;
    }
    const log = logOfDelta(message);
    const copy = this.copies.get(log);
    if (copy !== undefined) this.send({ type: 'ack', log, ...copy.apply(message) });
  }
}

/** A client of a host, which has greeted it. */
export async function connectedTo(
  host: { connectClient(transport: Transport, dialogs?: ClientDialogs): void },
  { protocol, dialogs }: { readonly protocol?: number; readonly dialogs?: ClientDialogs } = {},
): Promise<TestClient<PairedTransport>> {
  const [hostEnd, clientEnd] = transportPair();
  const client = new TestClient(clientEnd, protocol);
  host.connectClient(hostEnd, dialogs);
  await waitFor(() => client.messages.length > 0, 'the greeting');
  return client;
}
