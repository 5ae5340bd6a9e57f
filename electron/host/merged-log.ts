import {
  type Chosen,
  chosenSampleType,
  chosenText,
  MERGED_THREADS_CHOICE,
  type MergedThreads,
  SAMPLE_TYPE_CHOICE,
} from '../../shared/facts/choice.ts';
import type { LogDescription, LogStatus } from '../../shared/protocol/messages.ts';
import type { PartEvent, SubscriberId } from '../worker/worker-messages.ts';
import { OpenLog, type OpenLogOptions } from './open-log.ts';

export interface MergedLogOptions extends Omit<OpenLogOptions, 'onPart' | 'onStart'> {
  /** In the order of the names that the worker is given. */
  readonly parts: readonly OpenLog[];
  readonly threads: MergedThreads;
  /** An id that no client and no other subscription has. */
  readonly newSubscriber: () => SubscriberId;
}

/** Merged logs as they can be opened again. */
export interface MergedFiles {
  readonly name: string;
  readonly threads: MergedThreads;
  /** Absolute paths, as the user named them. */
  readonly files: readonly string[];
  /** They were opened again, for another sample type, and are read on their own for this. */
  readonly isAgain?: boolean | undefined;
}

interface Subscription {
  readonly part: number;
  readonly turn: number;
}

/** Open logs that are shown as one. Its thread subscribes to them, as a client does. */
export class MergedLog {
  readonly log: OpenLog;
  readonly parts: readonly OpenLog[];
  /** As it was merged; it may be chosen anew. */
  readonly #threads: MergedThreads;
  readonly #newSubscriber: () => SubscriberId;
  readonly #subscriptions = new Map<SubscriberId, Subscription>();

  constructor({ parts, threads, newSubscriber, ...options }: MergedLogOptions) {
    this.#threads = threads;
    this.parts = parts;
    this.#newSubscriber = newSubscriber;
    this.log = new OpenLog({
      ...options,
      onStart: () => this.#forgetSubscriptions(),
      onPart: (event) => this.#handle(event),
    });
  }

  get description(): LogDescription {
    return this.log.description;
  }

  /** Undefined if one of the logs is a recording, which cannot be opened again. */
  get files(): MergedFiles | undefined {
    const files = this.parts.flatMap(({ openedAs }) => openedAs ?? []);
    if (files.length < this.parts.length) return undefined;
    const { name, sameAs } = this.description;
    return { name, threads: this.threads, files, ...(sameAs === undefined ? {} : { isAgain: true }) };
  }

  /** As chosen now. */
  get threads(): MergedThreads {
    const choice = this.log.status?.choices.find(({ id }) => id === MERGED_THREADS_CHOICE);
    const isTogether =
      choice === undefined ? this.#threads === 'together' : chosenText(choice) === 'together';
    return isTogether ? 'together' : 'groups';
  }

  /** The sample type is that of all its logs. */
  choose(chosen: Chosen): void {
    const type = chosenSampleType(chosen);
    if (type !== undefined) for (const part of this.parts) part.chooseAlso(SAMPLE_TYPE_CHOICE, type);
    this.log.choose(chosen);
  }

  /** Passes a delta of one of the logs on. False if it is for another subscriber. */
  take(subscriber: SubscriberId, message: ArrayBuffer): boolean {
    const subscription = this.#subscriptions.get(subscriber);
    if (subscription === undefined) return false;
    this.log.sendPart({ type: 'partDelta', ...subscription, message });
    return true;
  }

  /** One of the open logs has another status. */
  hear(log: OpenLog, status: LogStatus): void {
    const part = this.parts.indexOf(log);
    if (part >= 0) this.log.sendPart({ type: 'partStatus', part, status });
  }

  async close(): Promise<void> {
    this.#forgetSubscriptions();
    await this.log.close();
  }

  #handle(event: PartEvent): void {
    const part = this.parts[event.part];
    const [known] = [...this.#subscriptions].find(([, each]) => each.part === event.part) ?? [];
    if (event.type === 'ackPart') {
      if (known === undefined || this.#subscriptions.get(known)?.turn !== event.turn) return;
      const { epoch, revision } = event;
      part.acknowledge({ type: 'ack', subscriber: known, epoch, revision });
      return;
    }
    if (known !== undefined) this.#unsubscribe(known);
    const subscriber = this.#newSubscriber();
    this.#subscriptions.set(subscriber, { part: event.part, turn: event.turn });
    if (part.status !== undefined) this.hear(part, part.status);
    part.subscribe(subscriber, true);
  }

  #unsubscribe(subscriber: SubscriberId): void {
    const subscription = this.#subscriptions.get(subscriber);
    if (subscription === undefined) return;
    this.#subscriptions.delete(subscriber);
    this.parts[subscription.part].unsubscribe(subscriber);
  }

  #forgetSubscriptions(): void {
    for (const subscriber of [...this.#subscriptions.keys()]) this.#unsubscribe(subscriber);
  }
}
