import type { AgentStatus } from '../agent/agent-options.ts';

declare const brand: unique symbol;

/**
 * A JVM of the host's machine, as the host has listed it. Clients cannot name processes: an id is random, identifies one
 * process, and is invalid once that has ended.
 */
export type JvmId = string & { readonly [brand]: 'JvmId' };

/** The options with which a JVM was started with Honest Profiler's agent. */
export interface JvmAgent {
  /** For the user; undefined if it is not known. */
  readonly log: string | undefined;
  /** It has a control port. */
  readonly hasControl: boolean;
}

/** `failed`: a sentence with the reason. */
export type AgentAnswer =
  | { readonly state: 'known'; readonly agent: AgentStatus }
  | { readonly state: 'failed'; readonly text: string };

/**
 * State of sampling a JVM by thread dumps.
 *
 *   running    threads are sampled
 *   stopped    for now; it can go on in the same log
 *   over       for good: the JVM has ended
 */
export type SamplingState = 'running' | 'stopped' | 'over';

/**
 * State of a recording whose log is open.
 *
 *   running    Leanscope records; closing its last log ends it
 *   followed   somebody else's recording runs in the JVM, and stays there when its log is closed
 *   unsaved    it has ended, and there is no file of it
 *   saved      it was saved after it had ended
 */
export type RecordingState = 'running' | 'followed' | 'unsaved' | 'saved';

/** A JVM in the list. Texts are printable. */
export interface JvmEntry {
  readonly id: JvmId;
  /** For the user. */
  readonly pid: number;
  /** Main class or jar. */
  readonly main: string;
  /** Arguments of the JVM, main class and its arguments, as one line; a long one is shortened, its options first. */
  readonly commandLine: string;
  /** `17.0.12`; undefined if it is not known. */
  readonly version: string | undefined;
  readonly user: string;
  /** Seconds. */
  readonly uptime: number;
  /** CPUs used since the previous list: 1.5 is one and a half. */
  readonly cpu: number;
  /** Why it cannot be attached, as a clause: `it belongs to another user`. */
  readonly obstacle: string | undefined;
  /** A sentence about how it is recorded. */
  readonly note: string | undefined;
  /** The JVM has JFR. Without it, its threads can be sampled, unless `obstacle` is set. */
  readonly hasRecorder: boolean;
  readonly agent: JvmAgent | undefined;
  /** A recording of it is open. */
  readonly isOpen: boolean;
}

/** A recording that runs in a JVM, and that Leanscope did not start. */
interface RunningRecording {
  readonly id: number;
  readonly name: string;
}

/**
 *   attaching  the JVM was asked
 *   recorded   there are recordings already, and nothing was started: one can be followed
 *   attached   its log is open: `opened` came before
 *   failed     a sentence with the reason
 */
export type AttachProgress =
  | { readonly state: 'attaching' }
  | { readonly state: 'recorded'; readonly recordings: readonly RunningRecording[] }
  | { readonly state: 'attached' }
  | { readonly state: 'failed'; readonly text: string };

/** The part of the messages of a host that is about JVMs. */
export type JvmHostMessage =
  /** To clients that watch, when they begin and then every two seconds. Attachable JVMs first, newest first. */
  | { readonly type: 'jvms'; readonly jvms: readonly JvmEntry[] }
  /** To the client that attaches. */
  | { readonly type: 'attach'; readonly jvm: JvmId; readonly progress: AttachProgress }
  /** To the client that asked. */
  | { readonly type: 'agent'; readonly jvm: JvmId; readonly answer: AgentAnswer };

/** Answer to a request to save a recording: it can be downloaded once, from `/download/ID`. */
export interface DownloadMessage {
  readonly type: 'download';
  readonly id: string;
  readonly name: string;
}
