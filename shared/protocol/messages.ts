import type { Chosen } from '../facts/choice.ts';
import type { LogFacts } from '../facts/log-facts.ts';

/**
 * The protocol between host and client, over any transport. Text messages are JSON of the unions below; binary messages
 * are deltas (`delta-message.ts`). The first message in each direction is `hello`; a wrong version ends the connection.
 *
 *   host                                client
 *   hello ─────────────────────────────▶
 *         ◀───────────────────────────── hello
 *   opened, status ────────────────────▶
 *         ◀───────────────────────────── subscribe
 *   delta, delta, delta ───────────────▶   catching up: several, up to some megabytes
 *         ◀───────────────────────────── ack, ack, ack
 *   delta (one, then silence) ─────────▶   live
 *         ◀───────────────────────────── ack
 *   delta … ───────────────────────────▶
 *
 * An ack covers its delta and all before it. Beyond that bound the host sends no further delta of the log until an ack
 * arrives; the next delta contains all changes since the last one. So the queue for a client is bounded, whatever the
 * client does.
 */
export const PROTOCOL_VERSION = 4;

declare const brand: unique symbol;
type Branded<Base, Name> = Base & { readonly [brand]: Name };

/** One opened log, as long as the host runs. */
export type LogId = Branded<number, 'LogId'>;
/** A file that the host is willing to open; the client never names paths. */
export type FileId = Branded<string, 'FileId'>;
/** One run of the writer on a log: truncation, rotation and replacement start the next. Counts from 0. */
export type Epoch = Branded<number, 'Epoch'>;
/** A state of a profile within an epoch. */
export type Revision = Branded<number, 'Revision'>;

export interface Capabilities {
  /** The host can show the system's file dialog (`openDialog`). Without it the client reads chosen files itself. */
  readonly openDialog: boolean;
  /** Dropped files have a path that the host can follow. Without it the client reads them itself. */
  readonly openDropped: boolean;
}

export interface FileEntry {
  readonly id: FileId;
  /** Last part of the path. */
  readonly name: string;
  /** The folder, shown to distinguish logs of the same name. */
  readonly folder: string;
}

/** Sample recordings shipped with Leanscope: one Java program under two profilers. */
export const SAMPLE_IDS = ['honest-profiler', 'jfr'] as const;
export type SampleId = (typeof SAMPLE_IDS)[number];

export interface LogDescription {
  readonly id: LogId;
  readonly name: string;
  readonly folder: string;
}

/**
 *   reading   catching up with what the file holds
 *   live      at the end of a file that grows
 *   idle      at the end of a file that has not grown for a while
 *   waiting   there is no file (yet), or it cannot be opened for now: tried again
 *   gone      the file was deleted or moved away; what was read stays
 *   damaged   the bytes stopped making sense; what was read before stays
 *   full      reading stopped because a window holds no more; what was read before stays
 *   failed    reading ended with an error; what was read before stays
 */
export type LogState = 'reading' | 'live' | 'idle' | 'waiting' | 'gone' | 'damaged' | 'full' | 'failed';

/** Why the current epoch began, when it is not the first. */
export interface Restart {
  readonly kind: 'truncated' | 'replaced' | 'rewritten';
  /** Milliseconds since the epoch of the system clock. */
  readonly at: number;
  /** Samples of the epoch that ended. */
  readonly samplesBefore: number;
}

/** The state of a log. Its numbers are ahead of the deltas that the client has applied. */
export interface LogStatus extends LogFacts {
  readonly epoch: Epoch;
  readonly state: LogState;
  /** A sentence for the user if the state needs one: why waiting, failed or gone. */
  readonly detail: string | undefined;
  readonly restart: Restart | undefined;
  /** Bytes of the file on disk, and how many of them were read (compressed, if the file is). */
  readonly fileBytes: number;
  readonly readBytes: number;
}

export type HostMessage =
  | {
      readonly type: 'hello';
      readonly protocol: number;
      readonly version: string;
      /** Identifies this run of the host: ids of logs are valid only within it. */
      readonly run: string;
      readonly capabilities: Capabilities;
      /** Sample recordings that the host can open (`openSample`). */
      readonly samples: readonly SampleId[];
      readonly logs: readonly LogDescription[];
      readonly recent: readonly FileEntry[];
    }
  | { readonly type: 'recent'; readonly files: readonly FileEntry[] }
  /** A log was opened by any client or by the host. `show`: it was requested just now, so the window shows it. */
  | { readonly type: 'opened'; readonly log: LogDescription; readonly show: boolean }
  | { readonly type: 'closed'; readonly log: LogId }
  | { readonly type: 'status'; readonly log: LogId; readonly status: LogStatus }
  /** A request failed: what, why, and what to do. */
  | { readonly type: 'problem'; readonly text: string };

export type ClientMessage =
  | { readonly type: 'hello'; readonly protocol: number }
  | { readonly type: 'openDialog' }
  | { readonly type: 'openSample'; readonly sample: SampleId }
  | { readonly type: 'openRecent'; readonly file: FileId }
  | { readonly type: 'forgetRecent' }
  | { readonly type: 'close'; readonly log: LogId }
  /** Send deltas of this log from the beginning. A client that has detected a gap subscribes again. */
  | { readonly type: 'subscribe'; readonly log: LogId }
  /** Read the file again with these choices, for all clients; see `Choice`. A new epoch follows. */
  | { readonly type: 'choose'; readonly log: LogId; readonly chosen: Chosen }
  /** The delta that led to this revision is applied: the next one may be sent. */
  | { readonly type: 'ack'; readonly log: LogId; readonly epoch: Epoch; readonly revision: Revision };
