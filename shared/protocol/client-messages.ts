import { z } from 'zod';
import { RECORDED_TYPES, RECORDING_SETTINGS } from '../facts/recording-choice.ts';
import type { JvmId } from './jvm-messages.ts';
import { type Epoch, type FileId, type LogId, type Revision, SAMPLE_IDS } from './messages.ts';
import {
  MOST_METHOD_CHARACTERS,
  MOST_SOURCE_LINES,
  MOST_VERSION_CHARACTERS,
  type SourceRootId,
} from './source-messages.ts';

/**
 * The messages of a client, as schemas: their types are inferred. The page imports only the types, so that it does not
 * load the schema library.
 */

/** Longer than any valid message that has no control characters. */
const MAX_MESSAGE_CHARACTERS = 4096;
/** Most logs that one message closes. */
const MOST_CLOSED = 1_000;

const index = z.int().min(0);
const log = index.transform((id) => id as LogId);
const epoch = index.transform((number) => number as Epoch);
const revision = index.transform((number) => number as Revision);
const file = z
  .string()
  .min(1)
  .max(64)
  .transform((id) => id as FileId);
const root = z
  .string()
  .min(1)
  .max(64)
  .transform((id) => id as SourceRootId);
const jvm = z
  .string()
  .regex(/^[\w-]{1,40}$/)
  .transform((id) => id as JvmId);

/** The requested choices of a format; see `Chosen`. */
const chosen = z
  .record(z.string().min(1).max(40), z.string().max(200))
  .refine((each) => Object.keys(each).length <= 8, 'too many choices');

/** A class whose source is wanted, as a profile names it. */
const classSource = z.strictObject({
  /** With dots or slashes; nested classes with `$`. */
  className: z.string().min(1).max(2000),
  /** As the class file names it: `Shop.java`; empty if it is not recorded. */
  file: z.string().max(255),
  /** A method of the class, as in a class file. Method and lines tell versions of a source apart. */
  method: z.string().max(MOST_METHOD_CHARACTERS).exactOptional(),
  /** Lines at which samples were. */
  lines: z.array(z.int().min(1)).max(MOST_SOURCE_LINES).readonly().exactOptional(),
  /** Version of the Java that ran it; the source of the same release is preferred. */
  javaVersion: z.string().max(MOST_VERSION_CHARACTERS).exactOptional(),
});
export type ClassSource = z.infer<typeof classSource>;

const sourceMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('findSource'), request: index, ...classSource.shape }),
  /** Open the file in the editor at this line. */
  z.strictObject({ type: z.literal('editSource'), line: index, ...classSource.shape }),
  /** Ask the user for a folder or an archive, and look in it from now on. */
  z.strictObject({ type: z.literal('addSource'), kind: z.enum(['folder', 'archive']) }),
  z.strictObject({ type: z.literal('removeSource'), root }),
  /** Use one of the editors of the settings. */
  z.strictObject({ type: z.literal('chooseEditor'), editor: z.string().min(1).max(40) }),
  /** Use this command, if the user confirms it in a dialog of the system. */
  z.strictObject({ type: z.literal('setEditor'), command: z.string().max(1000) }),
]);
export type SourceClientMessage = z.infer<typeof sourceMessage>;

const agentCommand = z.enum(['status', 'start', 'stop']);
export type AgentCommand = z.infer<typeof agentCommand>;

/** A host that does not allow attaching refuses these. */
const jvmMessage = z.discriminatedUnion('type', [
  /** Send the list of JVMs from now on, or no longer. */
  z.strictObject({ type: z.literal('watchJvms'), watch: z.boolean() }),
  /**
   * Start a recording and open it. Without `always` nothing is started if the JVM has recordings of somebody else: the
   * answer is `recorded`.
   */
  z.strictObject({
    type: z.literal('attachJvm'),
    jvm,
    always: z.boolean(),
    settings: z.enum(RECORDING_SETTINGS),
    types: z.array(z.enum(RECORDED_TYPES)).min(1).max(RECORDED_TYPES.length).readonly(),
  }),
  /** Open one of the recordings that the JVM has. */
  z.strictObject({ type: z.literal('followRecording'), jvm, recording: index }),
  /** Sample the threads of a JVM by thread dumps, and open the log of that. */
  z.strictObject({ type: z.literal('sampleJvm'), jvm }),
  /** Open the log that Honest Profiler's agent writes in the JVM. */
  z.strictObject({ type: z.literal('openAgentLog'), jvm }),
  /** Query or control the agent over its control port; the answer is `agent`. */
  z.strictObject({ type: z.literal('controlAgent'), jvm, command: agentCommand }),
]);
export type JvmClientMessage = z.infer<typeof jvmMessage>;

/** Unknown types and keys are refused. */
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), protocol: z.int() }),
  z.strictObject({ type: z.literal('openDialog') }),
  z.strictObject({ type: z.literal('openSample'), sample: z.enum(SAMPLE_IDS) }),
  z.strictObject({ type: z.literal('openRecent'), file }),
  z.strictObject({ type: z.literal('forgetRecent') }),
  z.strictObject({ type: z.literal('close'), log }),
  /**
   * Send deltas of this log, starting from an empty profile; with `samples` also when each sample was taken. A client that
   * has detected a gap subscribes again.
   */
  z.strictObject({ type: z.literal('subscribe'), log, samples: z.boolean() }),
  /** Read the file again with these choices, for all clients. A new epoch follows. */
  z.strictObject({ type: z.literal('choose'), log, chosen }),
  /**
   * Open the file of a log, or a flight recording, once more with these choices, for example to compare two of its sample
   * types.
   */
  z.strictObject({ type: z.literal('openAgain'), log, chosen }),
  /** The client has applied the delta that leads to this revision, and all before it. */
  z.strictObject({ type: z.literal('ack'), log, epoch, revision }),
  /** Stop sampling, or go on in the same log. */
  z.strictObject({ type: z.literal('controlSampling'), log, run: z.boolean() }),
  /** End a recording that Leanscope has started. Its log stays open, and does not grow any more. */
  z.strictObject({ type: z.literal('stopRecording'), log }),
  /**
   * Save a recording as the JVM made it: the host asks where, or answers with a `download`. With `closes` it is ended
   * before, and these logs are closed once it is saved.
   */
  z.strictObject({
    type: z.literal('saveRecording'),
    log,
    closes: z.array(log).max(MOST_CLOSED).readonly().exactOptional(),
  }),
  sourceMessage,
  jvmMessage,
]);
export type ClientMessage = z.infer<typeof clientMessage>;

type ValidatedMessage =
  | { readonly message: ClientMessage }
  /** The kind of thing that the client sent, as a part of a sentence: 'a binary message'. */
  | { readonly refusal: string };

/** Parses and validates a message of a client. Never throws. */
export function validateClientMessage(raw: string | ArrayBuffer): ValidatedMessage {
  if (typeof raw !== 'string') return { refusal: 'a binary message' };
  if (raw.length > MAX_MESSAGE_CHARACTERS) return { refusal: `a message of ${raw.length} characters` };
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    return { refusal: 'a message that is not JSON' };
  }
  const result = clientMessage.safeParse(parsed);
  if (result.success) return { message: result.data };
  const issue = result.error.issues[0];
  const where = issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : '';
  return { refusal: `a message that is not of the protocol${where}: ${issue.message}` };
}
