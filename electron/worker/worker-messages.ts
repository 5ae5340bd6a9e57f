import type { Chosen } from '../../shared/facts/choice.ts';
import type { Epoch, LogStatus, Revision } from '../../shared/protocol/messages.ts';

/** A client that subscribed to the log. */
export type SubscriberId = number;

/** The first message to a log worker: what to read. */
export interface LogWorkerOptions {
  readonly path: string;
  /** Continue at the end of the file when it grows. False: read to the end and stop. */
  readonly follow: boolean;
  /** For the repository of a JVM: paths of chunks in it that belong to other recordings. */
  readonly leftOut?: readonly string[];
  /** The recording has ended already. */
  readonly end?: RecordingEnd;
  /** Links to chunks of it that are open, because an earlier thread had them open; see `FollowedRecording`. */
  readonly open?: readonly string[];
}

export interface RecordingEnd {
  readonly reason: string;
  readonly atNs: bigint;
}

/** host -> log worker */
export type LogWorkerRequest =
  /** Send deltas to this subscriber, starting from an empty profile; see `ClientMessage`. A repeated request starts over. */
  | { readonly type: 'subscribe'; readonly subscriber: SubscriberId; readonly samples: boolean }
  | { readonly type: 'unsubscribe'; readonly subscriber: SubscriberId }
  | {
      readonly type: 'ack';
      readonly subscriber: SubscriberId;
      readonly epoch: Epoch;
      readonly revision: Revision;
    }
  /** Read the file again with these choices: see `Choice`. */
  | { readonly type: 'choose'; readonly chosen: Chosen }
  /** The file does not grow any more: read to its end, and report when the worker is `done`. */
  | { readonly type: 'finish' }
  /** The recording has ended then, in ns since 1970, with this sentence for the user: read what there is of it. */
  | ({ readonly type: 'end' } & RecordingEnd)
  /** Write what there is of the recording to a new file. `saved` follows. */
  | { readonly type: 'save'; readonly request: number; readonly path: string }
  | { readonly type: 'stop' };

/** host -> thread, whatever it does: answer with `alive`; see ThreadWatch. */
export interface WatchRequest {
  readonly type: 'ask';
}

/** log worker -> host */
export type LogWorkerEvent =
  | { readonly type: 'status'; readonly status: LogStatus }
  /** The answer to `ask`: the thread takes messages. */
  | { readonly type: 'alive' }
  /** An encoded delta; its first DELTA_PREFIX bytes are free for the id of the log. The buffer is transferred. */
  | { readonly type: 'delta'; readonly subscriber: SubscriberId; readonly message: ArrayBuffer }
  /**
   * A file that is finished is read, and every subscriber has acknowledged everything. `requests`: the number of
   * `subscribe` and `choose` requests until then; if the host has sent more, another `done` follows.
   */
  | { readonly type: 'done'; readonly requests: number }
  /** Chunks of a recording that the thread has open now, instead of those before. */
  | { readonly type: 'chunks'; readonly chunks: readonly OpenChunk[] }
  /** The answer to the `save` with this number. */
  | ({ readonly type: 'saved'; readonly request: number } & SaveOutcome);

/** A file that the thread has open. Descriptors are those of the process. */
export interface OpenChunk {
  readonly descriptor: number;
  /** The device and number of the file, which tell it from others. */
  readonly identity: string;
}

/** `missing`: parts of the recording that are not on the disk any more. */
export type SaveOutcome = { readonly missing: number } | { readonly problem: string };
