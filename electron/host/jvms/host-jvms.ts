import { randomBytes } from 'node:crypto';
import type {
  AgentAnswer,
  AttachProgress,
  JvmEntry,
  JvmHostMessage,
  JvmId,
} from '../../../shared/protocol/jvm-messages.ts';
import type { AgentCommand, JvmClientMessage } from '../../../shared/protocol/client-messages.ts';
import { printable } from '../../../shared/text/printable.ts';
import { AttachError, jvmName } from '../../jvm/attach.ts';
import { shownCommand } from '../../jvm/command-line.ts';
import { DumpRecording, USUAL_DUMPS } from '../../recording/dump-recording.ts';
import type { JvmRecording } from '../../recording/jvm-recording.ts';
import { DUMP_EVERY_MS, canRecord, startRecording } from '../../recording/dumped-recording.ts';
import {
  choosesEvents,
  followRecording,
  NoRecorderError,
  recordingsOfOthers,
} from '../../recording/flight-recorder.ts';
import { type Jvm, obstacleText } from '../../jvm/jvm.ts';
import { InstalledVersions } from '../../jvm/installed-version.ts';
import { type JvmLister, newJvmLister } from '../../jvm/jvm-list.ts';
import { errnoOf, UserError } from '../../source/source-error.ts';
import type { SubscriberId } from '../../worker/worker-messages.ts';
import { agentLogOf, askAgent } from './host-agents.ts';
import { OpenRecordings, type RecordingLogs } from './open-recordings.ts';
import type { RealPaths } from '../../source/real-paths.ts';

/** A list costs one small file per JVM; it is made only while somebody looks at it. */
const LIST_EVERY_MS = 2_000;
const MOST_COMMAND_CHARACTERS = 600;
const MOST_NAME_CHARACTERS = 200;
const HAS_ENDED = 'This JVM has ended.';
const NO_RECORDER = 'has no flight recordings';
const VERSION_AWAITED = 'its Java version is not known yet: the file system of its JDK does not answer';
const VERSION_AWAITED_NOTE =
  'Its Java version is not known yet; until then its threads are sampled by thread dumps.';
/** JDK 16 and before; their allocations are samples of buffers (TLABs) up to JDK 15. */
const ALL_TYPES_NOTE = 'It records all sample types of its settings, but no CPU time.';
const DUMPED_NOTE = `Its JFR does not flush: new samples are shown every ${DUMP_EVERY_MS / 1000} seconds, and recordings of others cannot be followed.`;

export interface HostJvmsOptions {
  /** Whether clients may list JVMs and attach to them. */
  readonly isAllowed: boolean;
  /** The JVMs of this machine when not given. */
  readonly list?: JvmLister;
}

/** Logs of recordings and of agents, which the host keeps. */
export interface JvmLogs extends RecordingLogs {
  openFile(path: string): Promise<void>;
}

type Reply = (message: JvmHostMessage) => void;

/**
 * Lists JVMs for clients, and starts and stops recordings of them. A client names a JVM by an id from a list that it was
 * sent, never by a pid or a path.
 */
export class HostJvms {
  readonly recordings: OpenRecordings;
  readonly isAllowed: boolean;
  readonly #list: JvmLister;
  readonly #logs: JvmLogs;
  readonly #realPaths: RealPaths;
  readonly #watchers = new Map<SubscriberId, Reply>();
  /** JVMs of the last list; an id stays while its process runs. */
  #listed: ReadonlyMap<JvmId, Jvm> = new Map();
  /** Kind of the recording and JVM -> the windows that wait for it. */
  readonly #attaching = new Map<string, Map<SubscriberId, Reply>>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ isAllowed, list }: HostJvmsOptions, logs: JvmLogs, realPaths: RealPaths) {
    this.isAllowed = isAllowed;
    const versions = new InstalledVersions((ask) => realPaths.within(ask));
    this.#list = list ?? newJvmLister(versions.of);
    this.#logs = logs;
    this.#realPaths = realPaths;
    this.recordings = new OpenRecordings(logs);
  }

  /** Handles a message of a client. What a JVM or an agent refuses is a part of the reply. */
  async handle(message: JvmClientMessage, client: SubscriberId, reply: Reply): Promise<void> {
    if (!this.isAllowed) return;
    switch (message.type) {
      case 'watchJvms':
        return this.#watch(client, message.watch ? reply : undefined);
      case 'attachJvm':
        return this.#attach(message.jvm, 'flight', client, reply, async (jvm) => {
          if (!canRecord(jvm))
            throw new AttachError(`${jvmName(jvm)}: ${jvm.isVersionAwaited ? VERSION_AWAITED : NO_RECORDER}`);
          const others = message.always ? [] : await recordingsOfOthers(jvm);
          if (others.length === 0) return startRecording(jvm, message);
          return others.map(({ id, name }) => ({ id, name: shortened(name) }));
        });
      case 'followRecording':
        return this.#attach(message.jvm, 'flight', client, reply, (jvm) =>
          followRecording(jvm, message.recording),
        );
      case 'sampleJvm':
        return this.#attach(message.jvm, 'dumps', client, reply, (jvm) =>
          DumpRecording.startTemporary(jvm, USUAL_DUMPS),
        );
      case 'openAgentLog':
        return this.#openAgentLog(message.jvm, reply);
      case 'controlAgent':
        return this.#askAgent(message.jvm, message.command, reply);
    }
  }

  forgetClient(client: SubscriberId): void {
    void this.#watch(client, undefined);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#watchers.clear();
    await this.recordings.stop();
  }

  async #watch(client: SubscriberId, reply: Reply | undefined): Promise<void> {
    if (reply === undefined) {
      this.#watchers.delete(client);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#watchers.set(client, reply);
    this.#timer ??= setInterval(() => void this.#send(() => this.#watchers.values()), LIST_EVERY_MS).unref();
    await this.#send(() => (this.#watchers.get(client) === reply ? [reply] : []));
  }

  /** `replies`: of those who watch when the list is there. Never rejects. */
  async #send(replies: () => Iterable<Reply>): Promise<void> {
    let jvms: readonly JvmEntry[];
    try {
      jvms = this.#entriesOf(await this.#list.read());
    } catch {
      // As when no more files may be open. The next list may be complete.
      return;
    }
    for (const reply of replies()) reply({ type: 'jvms', jvms });
  }

  #entriesOf(jvms: readonly Jvm[]): readonly JvmEntry[] {
    const ids = new Map([...this.#listed].map(([id, jvm]) => [processOf(jvm), id]));
    const listed = jvms.map((jvm) => [ids.get(processOf(jvm)) ?? newId(), jvm] as const);
    this.#listed = new Map(listed);
    return listed.sort(([, a], [, b]) => inOrder(a, b)).map(([id, jvm]) => this.#entryOf(id, jvm));
  }

  #entryOf(id: JvmId, jvm: Jvm): JvmEntry {
    const { pid, main, version, user, uptime, cpu, obstacle, agent } = jvm;
    return {
      id,
      pid,
      main: shortened(main),
      commandLine: printable(shownCommand(jvm, MOST_COMMAND_CHARACTERS)),
      version: version === undefined ? undefined : shortened(version),
      user: printable(user),
      uptime,
      cpu,
      obstacle: obstacle === undefined ? undefined : obstacleText(obstacle),
      note: obstacle === undefined ? noteOf(jvm) : undefined,
      hasRecorder: canRecord(jvm),
      agent: agent && {
        log: agent.log === undefined ? undefined : shortened(agent.log),
        hasControl: agent.control !== undefined,
      },
      isOpen: this.recordings.logOf(jvm) !== undefined,
    };
  }

  async #openAgentLog(id: JvmId, reply: Reply): Promise<void> {
    const tell = (progress: AttachProgress): void => reply({ type: 'attach', jvm: id, progress });
    const jvm = this.#listed.get(id);
    if (jvm === undefined) {
      tell({ state: 'failed', text: HAS_ENDED });
      return;
    }
    try {
      await this.#logs.openFile(await agentLogOf(jvm, this.#realPaths));
      tell({ state: 'attached' });
    } catch (error) {
      tell({ state: 'failed', text: `${printable(reasonOf(error))}.` });
    }
  }

  async #askAgent(id: JvmId, command: AgentCommand, reply: Reply): Promise<void> {
    const jvm = this.#listed.get(id);
    const answer: AgentAnswer =
      jvm === undefined ? { state: 'failed', text: HAS_ENDED } : await askAgent(jvm, command);
    reply({ type: 'agent', jvm: id, answer });
  }

  async #attach(
    id: JvmId,
    kind: 'flight' | 'dumps',
    client: SubscriberId,
    reply: Reply,
    start: (jvm: Jvm) => Promise<JvmRecording | readonly { readonly id: number; readonly name: string }[]>,
  ): Promise<void> {
    const waiting = new Map([[client, reply]]);
    const tell = (progress: AttachProgress): void => {
      for (const each of waiting.values()) each({ type: 'attach', jvm: id, progress });
    };
    const jvm = this.#listed.get(id);
    if (jvm === undefined) {
      tell({ state: 'failed', text: HAS_ENDED });
      return;
    }
    const known = this.recordings.logOf(jvm, kind);
    if (known !== undefined) {
      this.#logs.show(known);
      tell({ state: 'attached' });
      return;
    }
    const key = `${kind} ${id}`;
    const others = this.#attaching.get(key);
    if (others?.has(client) === true) return;
    tell({ state: 'attaching' });
    if (others !== undefined) {
      others.set(client, reply);
      return;
    }
    this.#attaching.set(key, waiting);
    try {
      const started = await start(jvm);
      if (!('folder' in started)) {
        tell({ state: 'recorded', recordings: started });
        return;
      }
      const log = await this.recordings.open(jvm, started);
      if (log !== undefined) tell({ state: 'attached' });
    } catch (error) {
      tell({ state: 'failed', text: `${printable(reasonOf(error))}.` });
    } finally {
      this.#attaching.delete(key);
    }
  }
}

/** Attachable ones first; of those, and of the others, the newest first, so that what is on screen keeps its order. */
function inOrder(a: Jvm, b: Jvm): number {
  const rank = (jvm: Jvm): number => (jvm.obstacle === undefined ? 0 : 1);
  return rank(a) - rank(b) || b.startTicks - a.startTicks || b.pid - a.pid;
}

/** A sentence about how a JVM is recorded. */
function noteOf({ can, version, isVersionAwaited }: Jvm): string | undefined {
  if (can.includes('jfr')) return choosesEvents(version) ? undefined : ALL_TYPES_NOTE;
  if (can.includes('jfr-dump')) return `${DUMPED_NOTE} ${ALL_TYPES_NOTE}`;
  if (isVersionAwaited) return VERSION_AWAITED_NOTE;
  return `Java ${shortened(version ?? 'of an unknown version')} has no flight recordings: its threads are sampled by thread dumps.`;
}

/** Answers of a JVM may also make a call of the system fail, as the path of a folder does that is too long. */
function reasonOf(error: unknown): string {
  if (error instanceof NoRecorderError)
    return `${error.message}; choose Sample by thread dumps below the list`;
  if (error instanceof UserError) return error.message;
  return `The JVM cannot be recorded (${errnoOf(error) ?? String(error)})`;
}

function processOf({ pid, startTicks }: Jvm): string {
  return `${pid} ${startTicks}`;
}

function newId(): JvmId {
  return randomBytes(12).toString('base64url') as JvmId;
}

function shortened(text: string): string {
  const shown = printable(text.slice(0, MOST_NAME_CHARACTERS));
  return text.length > MOST_NAME_CHARACTERS ? `${shown}…` : shown;
}
