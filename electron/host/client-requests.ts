import { assertNever } from '../../shared/assert.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import type {
  ClientMessage,
  JvmClientMessage,
  SourceClientMessage,
} from '../../shared/protocol/client-messages.ts';
import type { FileId, HostMessage, LogId, SampleId } from '../../shared/protocol/messages.ts';
import { printable } from '../../shared/text/printable.ts';
import type { ConnectedClient } from './connected-client.ts';
import type { ClientDialogs, HostOptions } from './host-options.ts';
import type { HostJvms } from './jvms/host-jvms.ts';
import type { OpenLog } from './open-log.ts';
import type { SavedRecording } from './recording-files.ts';
import { errorMessage } from '../../shared/text/error-message.ts';

/** The parts of a host that requests of clients use. */
interface RequestedHost {
  readonly jvms: HostJvms | undefined;
  open(path: string, options: { readonly show: boolean }): Promise<unknown>;
  openSample(sample: SampleId, options: { readonly show: boolean }): Promise<unknown>;
  close(log: LogId): void;
  saveRecording(log: LogId, dialogs: ClientDialogs | undefined, ends: boolean): Promise<SavedRecording>;
  forgetRecent(): void;
  logOf(id: LogId): OpenLog | undefined;
  /** Resolves to a sentence if it cannot. */
  openAgain(id: LogId, chosen: Chosen): Promise<string | undefined>;
  sendAll(message: HostMessage): void;
}

/** Carries out what clients ask for, and tells a client why its request failed. */
export class ClientRequests {
  readonly #host: RequestedHost;
  readonly #options: HostOptions;

  constructor(host: RequestedHost, options: HostOptions) {
    this.#host = host;
    this.#options = options;
  }

  handle(client: ConnectedClient, message: Exclude<ClientMessage, { readonly type: 'hello' }>): void {
    switch (message.type) {
      case 'openDialog':
        this.#attempt(client, this.#openChosen(client));
        break;
      case 'openSample':
        this.#attempt(client, this.#showSample(client, message.sample));
        break;
      case 'openRecent':
        this.#attempt(client, this.#openRecent(client, message.file));
        break;
      case 'forgetRecent':
        this.#host.forgetRecent();
        break;
      case 'close':
        this.#host.close(message.log);
        break;
      // The log may have been closed since the client sent one of these.
      case 'subscribe':
        this.#host.logOf(message.log)?.subscribe(client.id, message.samples);
        break;
      case 'choose':
        this.#host.logOf(message.log)?.choose(message.chosen);
        break;
      case 'openAgain':
        this.#attempt(client, this.#openAgain(client, message.log, message.chosen));
        break;
      case 'ack':
        this.#host.logOf(message.log)?.acknowledge({
          type: 'ack',
          subscriber: client.id,
          epoch: message.epoch,
          revision: message.revision,
        });
        break;
      case 'findSource':
      case 'editSource':
      case 'addSource':
      case 'removeSource':
      case 'chooseEditor':
      case 'setEditor':
        this.#handleSources(client, message);
        break;
      case 'controlSampling':
        void this.#host.jvms?.recordings.control(message.log, message.run);
        break;
      case 'saveRecording':
        this.#attempt(client, this.#saveRecording(client, message.log, message.closes ?? []));
        break;
      case 'stopRecording':
        void this.#host.jvms?.recordings.finish(message.log);
        break;
      case 'watchJvms':
      case 'attachJvm':
      case 'followRecording':
      case 'sampleJvm':
      case 'openAgentLog':
      case 'controlAgent':
        this.#handleJvms(client, message);
        break;
      default:
        assertNever(message, 'message of a client');
    }
  }

  async #openAgain(client: ConnectedClient, log: LogId, chosen: Chosen): Promise<void> {
    const text = await this.#host.openAgain(log, chosen);
    if (text !== undefined) client.send({ type: 'problem', text });
  }

  #handleSources(client: ConnectedClient, message: SourceClientMessage): void {
    const { sources } = this.#options;
    if (sources === undefined) return;
    const toAll = (reply: HostMessage): void => this.#host.sendAll(reply);
    this.#attempt(
      client,
      sources.handle(message, (reply) => client.send(reply), toAll),
      (text) => ({ type: 'problem', text }),
    );
  }

  #handleJvms(client: ConnectedClient, message: JvmClientMessage): void {
    const { jvms } = this.#host;
    if (jvms?.isAllowed === true) {
      this.#attempt(
        client,
        jvms.handle(message, client.id, (reply) => client.send(reply)),
        (reason) => jvmFailure(message, reason),
      );
      return;
    }
    const text = 'JVMs are not listed here: the program was started without --attach.';
    client.send({ type: 'problem', text });
  }

  async #saveRecording(client: ConnectedClient, id: LogId, closes: readonly LogId[]): Promise<void> {
    const saved = await this.#host.saveRecording(id, client.dialogs, closes.length > 0);
    for (const reply of saved.messages) client.send(reply);
    if (saved.isSaved) for (const each of closes) this.#host.close(each);
  }

  /** Reports a failure to the client that asked for the work. */
  #attempt(
    client: ConnectedClient,
    work: Promise<void>,
    failure: (reason: string) => HostMessage = notOpened,
  ): void {
    work.catch((error: unknown) => {
      client.send(failure(printable(errorMessage(error))));
    });
  }

  async #openChosen(client: ConnectedClient): Promise<void> {
    const { dialogs } = client;
    if (dialogs === undefined) {
      client.send({ type: 'problem', text: 'There is no file dialog here. Drop a file onto the window.' });
      return;
    }
    for (const path of await dialogs.openDialog()) await this.#host.open(path, { show: true });
  }

  async #openRecent(client: ConnectedClient, file: FileId): Promise<void> {
    const { recentFiles } = this.#options;
    const path = recentFiles.pathOf(file);
    if (path !== undefined) {
      await this.#host.open(path, { show: true });
      return;
    }
    client.send({
      type: 'problem',
      text: 'This file is no longer in the list of recent files. Open it again.',
    });
    client.send({ type: 'recent', files: recentFiles.list() });
  }

  async #showSample(client: ConnectedClient, sample: SampleId): Promise<void> {
    await this.#host.openSample(sample, { show: true });
    if (this.#options.sampleFolder === undefined)
      client.send({ type: 'problem', text: 'There are no samples here.' });
  }
}

function notOpened(reason: string): HostMessage {
  return { type: 'problem', text: `The file was not opened: ${reason}` };
}

/** Who controls an agent waits for an answer, and asks nothing else before. */
function jvmFailure(message: JvmClientMessage, reason: string): HostMessage {
  const text = `The request was not carried out: ${reason}`;
  return message.type === 'controlAgent'
    ? { type: 'agent', jvm: message.jvm, answer: { state: 'failed', text } }
    : { type: 'problem', text };
}
