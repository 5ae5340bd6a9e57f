import type { Chosen } from '../../shared/facts/choice.ts';
import type { Epoch, LogStatus, Revision } from '../../shared/protocol/messages.ts';

/** A client that subscribed to the log. */
export type SubscriberId = number;

/** The first message to a log worker: what to read. */
export interface LogWorkerOptions {
  readonly path: string;
  /** Keep watching the file at its end. False reads what is there and stops: status ends in idle, damaged or failed. */
  readonly follow: boolean;
}

/** host -> log worker */
export type LogWorkerRequest =
  /** Send deltas to this subscriber from the beginning. A repeated request starts over. */
  | { readonly type: 'subscribe'; readonly subscriber: SubscriberId }
  | { readonly type: 'unsubscribe'; readonly subscriber: SubscriberId }
  | {
      readonly type: 'ack';
      readonly subscriber: SubscriberId;
      readonly epoch: Epoch;
      readonly revision: Revision;
    }
  /** Read the file again with these choices: see `Choice`. */
  | { readonly type: 'choose'; readonly chosen: Chosen }
  | { readonly type: 'stop' };

/** log worker -> host */
export type LogWorkerEvent =
  | { readonly type: 'status'; readonly status: LogStatus }
  /** An encoded delta with DELTA_PREFIX bytes to spare; the buffer is transferred. */
  | { readonly type: 'delta'; readonly subscriber: SubscriberId; readonly message: ArrayBuffer };
