import { z } from 'zod';
import { MOST_AGENT_FRAMES, MOST_AGENT_INTERVAL } from '../../shared/agent/agent-options.ts';
import {
  MOST_THREAD_NAME_CHARACTERS,
  MOST_THREAD_NAMES,
  RECORDED_TYPES,
  RECORDING_SETTINGS,
  SAMPLING_RANGES,
  THREAD_STATES,
} from '../../shared/facts/recording-choice.ts';
import { MERGED_THREADS } from '../../shared/facts/choice.ts';
import {
  MOST_METHOD_CHARACTERS,
  MOST_SOURCE_LINES,
  MOST_VERSION_CHARACTERS,
} from '../../shared/protocol/source-messages.ts';
import {
  type ClientMessage,
  MOST_MERGE_NAME_CHARACTERS,
  MOST_PARTS,
  SAMPLE_IDS,
} from '../../shared/protocol/messages.ts';

/** The longest valid message, one with twenty threads to sample, is shorter unless it has control characters. */
const MAX_MESSAGE_CHARACTERS = 4096;

const index = z.int().min(0);
const log = index;

const jvm = z.string().regex(/^[\w-]{1,40}$/);

const chosen = z
  .record(z.string().min(1).max(40), z.string().max(200))
  .refine((each) => Object.keys(each).length <= 8, 'too many choices');

const within = ({ least, most }: { readonly least: number; readonly most: number }): z.ZodNumber =>
  z.number().min(least).max(most);
/** Logs that are closed at once. */
const MOST_CLOSED = 1_000;
const agentInterval = z.int().min(1).max(MOST_AGENT_INTERVAL);

const classSource = {
  className: z.string().min(1).max(2000),
  file: z.string().max(255),
  method: z.string().max(MOST_METHOD_CHARACTERS).optional(),
  lines: z.array(z.int().min(1)).max(MOST_SOURCE_LINES).optional(),
  javaVersion: z.string().max(MOST_VERSION_CHARACTERS).optional(),
};

/** The messages that a client may send. Unknown types and keys are refused. */
const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), protocol: z.int() }),
  z.strictObject({ type: z.literal('openDialog') }),
  z.strictObject({ type: z.literal('openSample'), sample: z.enum(SAMPLE_IDS) }),
  z.strictObject({ type: z.literal('openRecent'), file: z.string().min(1).max(64) }),
  z.strictObject({ type: z.literal('forgetRecent') }),
  z.strictObject({ type: z.literal('close'), log }),
  z.strictObject({
    type: z.literal('merge'),
    logs: z.array(log).min(2).max(MOST_PARTS),
    name: z.string().max(MOST_MERGE_NAME_CHARACTERS),
    threads: z.enum(MERGED_THREADS),
  }),
  z.strictObject({ type: z.literal('subscribe'), log, samples: z.boolean() }),
  z.strictObject({ type: z.literal('choose'), log, chosen }),
  z.strictObject({ type: z.literal('openAgain'), log, chosen }),
  z.strictObject({ type: z.literal('ack'), log, epoch: index, revision: index }),
  z.strictObject({ type: z.literal('findSource'), request: index, ...classSource }),
  z.strictObject({ type: z.literal('editSource'), line: index, ...classSource }),
  z.strictObject({ type: z.literal('addSource'), kind: z.enum(['folder', 'archive']) }),
  z.strictObject({ type: z.literal('removeSource'), root: z.string().min(1).max(64) }),
  z.strictObject({ type: z.literal('chooseEditor'), editor: z.string().min(1).max(40) }),
  z.strictObject({ type: z.literal('setEditor'), command: z.string().max(1000) }),
  z.strictObject({ type: z.literal('stopRecording'), log }),
  z.strictObject({ type: z.literal('saveRecording'), log, closes: z.array(log).max(MOST_CLOSED).optional() }),
  z.strictObject({ type: z.literal('watchJvms'), watch: z.boolean() }),
  z.strictObject({
    type: z.literal('attachJvm'),
    jvm,
    always: z.boolean(),
    settings: z.enum(RECORDING_SETTINGS),
    types: z.array(z.enum(RECORDED_TYPES)).min(1).max(RECORDED_TYPES.length),
  }),
  z.strictObject({ type: z.literal('followRecording'), jvm, recording: index }),
  z.strictObject({
    type: z.literal('sampleJvm'),
    jvm,
    intervalMs: within(SAMPLING_RANGES.intervalMs),
    sharePercent: within(SAMPLING_RANGES.sharePercent),
    depth: within(SAMPLING_RANGES.depth).int().optional(),
    threads: z.array(z.string().min(1).max(MOST_THREAD_NAME_CHARACTERS)).max(MOST_THREAD_NAMES),
    states: z.array(z.enum(THREAD_STATES)).max(THREAD_STATES.length),
  }),
  z.strictObject({ type: z.literal('controlSampling'), log, run: z.boolean() }),
  z.strictObject({ type: z.literal('openAgentLog'), jvm }),
  z.strictObject({
    type: z.literal('controlAgent'),
    jvm,
    command: z.discriminatedUnion('do', [
      z.strictObject({ do: z.enum(['status', 'start', 'stop']) }),
      z.strictObject({
        do: z.literal('set'),
        changes: z.strictObject({
          intervalMin: agentInterval.optional(),
          intervalMax: agentInterval.optional(),
          maxFrames: z.int().min(1).max(MOST_AGENT_FRAMES).optional(),
          // One that is too long for the agent is answered: it is no reason to disconnect a window.
          logPath: z.string().min(1).max(MAX_MESSAGE_CHARACTERS).optional(),
        }),
      }),
    ]),
  }),
]);

export type ValidatedMessage =
  | { readonly message: ClientMessage }
  /** What the client sent, as a part of a sentence: 'a binary message'. */
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
  if (result.success) return { message: result.data as ClientMessage };
  const issue = result.error.issues[0];
  const where = issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : '';
  return { refusal: `a message that is not of the protocol${where}: ${issue.message}` };
}
