import type { FindingsProject } from '../findings/finding.ts';
import type { FormatGroup } from '../facts/format-list.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import type { DownloadMessage, JvmHostMessage, RecordingState, SamplingState } from './jvm-messages.ts';
import type { SourceHostMessage } from './source-messages.ts';

/**
 * The protocol between host and client, over any transport. Text messages are JSON: those of the host have the
 * type `HostMessage`, those of the client the schema in `client-messages.ts`. Binary messages are deltas
 * (`delta-message.ts`). The first message in each direction is `hello`; a different version of the protocol
 * ends the connection.
 *
 *   host                                client
 *   hello ─────────────────────────────▶
 *         ◀───────────────────────────── hello
 *   opened, status ────────────────────▶
 *         ◀───────────────────────────── subscribe
 *   delta, delta, delta ───────────────▶   while the client catches up: several deltas, a few megabytes
 *         ◀───────────────────────────── ack, ack, ack
 *   delta ─────────────────────────────▶   afterwards: one delta
 *         ◀───────────────────────────── ack
 *   delta … ───────────────────────────▶
 *
 * An ack also acknowledges all deltas before its own. While too many bytes are not acknowledged, the host
 * sends no further delta of the log. The next delta then contains all changes since the last one. So the queue for a
 * client is limited, whatever the client does.
 */
export const PROTOCOL_VERSION = 11;

declare const brand: unique symbol;
type Branded<Base, Name> = Base & { readonly [brand]: Name };

/** An open log. Ids are not reused while the host runs. */
export type LogId = Branded<number, 'LogId'>;
/** A recent file. Clients cannot name paths, only these ids. */
export type FileId = Branded<string, 'FileId'>;
/** The content of one run of a log's writer: truncation, rotation and replacement begin the next epoch. Counts from 0. */
export type Epoch = Branded<number, 'Epoch'>;
/** A state of a profile within an epoch. */
export type Revision = Branded<number, 'Revision'>;

export interface Capabilities {
  /** The host can show the system's file dialog (`openDialog`). Otherwise the client reads chosen files itself. */
  readonly openDialog: boolean;
  /** Dropped files have a path that the host can follow. Otherwise the client reads them itself. */
  readonly openDropped: boolean;
  /** The window is a page to send, which opens no files, and writes only those that people read. */
  readonly isPage?: true;
  /** JVMs can be listed and attached to; `option`: only if the host is started with `--attach`. Undefined: not here. */
  readonly jvms?: 'allowed' | 'option';
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
  /** It is a recording in a JVM, and `folder` where the JVM keeps it, only while it runs. */
  readonly isRecording?: true;
  /** The log whose files it reads as well, with other choices; that may be closed. Undefined for the first one. */
  readonly sameAs?: LogId;
}

/**
 *   reading   the end of the file is not reached yet
 *   live      at the end of a file that grows
 *   idle      at the end of a file that has not grown for a while
 *   waiting   there is no file yet, or it cannot be read for now; the host keeps trying
 *   gone      the file was deleted or moved; what was read is kept
 *   ended     the recording has ended; what was read is kept
 *   damaged   the file has invalid content; what was read before it is kept
 *   full      reading stopped at the limit of a window; what was read is kept
 *   failed    reading ended with an error; what was read before it is kept
 */
export type LogState =
  | 'reading'
  | 'live'
  | 'idle'
  | 'waiting'
  | 'gone'
  | 'ended'
  | 'damaged'
  | 'full'
  | 'failed';

/** Why the current epoch began, when it is not the first. */
export interface Restart {
  readonly kind: 'truncated' | 'replaced' | 'rewritten';
  /** The number of times that the log has begun anew, this time included. */
  readonly count: number;
  /** The one of several merged logs that began anew; undefined for a log that is not merged. */
  readonly log?: string;
  /** Milliseconds since 1970, by the system clock. */
  readonly at: number;
  /** Samples of the epoch that ended. */
  readonly samplesBefore: number;
}

/** The state of a log. Its numbers may be ahead of the deltas that the client has applied. */
export interface LogStatus extends LogFacts {
  readonly epoch: Epoch;
  readonly state: LogState;
  /** A sentence for the user that explains the state, if it needs one. */
  readonly detail: string | undefined;
  readonly restart: Restart | undefined;
  /** Size of the file on disk, and how many of its bytes were read; compressed if the file is. */
  readonly fileBytes: number;
  readonly readBytes: number;
}

export type HostMessage =
  | {
      readonly type: 'hello';
      readonly protocol: number;
      readonly version: string;
      /** Identifies this run of the host, in which ids of logs are valid. */
      readonly run: string;
      readonly capabilities: Capabilities;
      /** Sample recordings that the host can open (`openSample`). */
      readonly samples: readonly SampleId[];
      /** The formats that the host reads. */
      readonly formats: readonly FormatGroup[];
      readonly logs: readonly LogDescription[];
      readonly recent: readonly FileEntry[];
      /** The settings of findings in the project file; undefined: there is none. */
      readonly project?: FindingsProject;
    }
  | { readonly type: 'recent'; readonly files: readonly FileEntry[] }
  /** A log was opened, by any client or by the host. `show`: the window should show it. */
  | { readonly type: 'opened'; readonly log: LogDescription; readonly show: boolean }
  | { readonly type: 'closed'; readonly log: LogId }
  | { readonly type: 'status'; readonly log: LogId; readonly status: LogStatus }
  /** To all clients, when it changes, and when they connect. Only for logs of thread dumps that the host makes. */
  | { readonly type: 'sampling'; readonly log: LogId; readonly state: SamplingState }
  /** To all clients, when it changes, and when they connect; also for logs that were closed and are read on. */
  | { readonly type: 'recording'; readonly log: LogId; readonly state: RecordingState }
  /** A request failed, or what it had started has ended: a text for the user with what, why, and what to do. */
  | { readonly type: 'problem'; readonly text: string }
  | SourceHostMessage
  | JvmHostMessage
  | DownloadMessage;

/**
 * Most call nodes that a window shows of a log. A window needs about 100 bytes per node, and a page has a few gigabytes
 * at most. The command line needs a quarter of that per node, and reads up to four times as many: see `memoryAllowed`.
 */
export const WINDOW_MAX_NODES = 24 << 20;
