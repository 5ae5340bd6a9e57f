/** The schemas of what commands print with --json. They are loaded only to be printed or tested. */
import { z } from 'zod';
import {
  COMPARE,
  COMPARE_RUNS,
  METHOD,
  OPERATIONS,
  SPREAD,
  TIMELINE,
  TOP,
  TREE,
} from '../../shared/answers/schemas.ts';
import type { JsonCommand } from './io/command-io.ts';

const count = z.number().min(0);
const text = z.string();
const int64 = z.string().regex(/^-?\d+$/);
const cell = z.union([text, z.number(), z.null()]);

const choice = z.looseObject({
  id: text,
  name: text,
  hint: text,
  kind: z.enum(['one', 'number', 'switch']),
  chosen: z.union([text, z.number(), z.boolean()]).optional(),
});

const SUMMARY = z.object({
  files: z.array(text),
  format: text,
  bytes: count.describe('accepted + skipped + pending'),
  acceptedBytes: count,
  skippedBytes: count,
  pendingBytes: count,
  fileBytes: count.describe('on disk'),
  gzip: z.boolean(),
  samples: count.describe('trace starts of an Honest Profiler log; for other formats the samples'),
  frames: count.nullable().describe('frame records; null where the format has none'),
  pseudoFrames: count.describe('stacks that are an error instead'),
  nodes: count.describe('call nodes, without the roots of threads'),
  threads: count,
  methods: count.describe('method ids that the log defines'),
  records: z.record(text, count).describe('by type'),
  errorSamples: z.record(text, count).describe('by AsyncGetCallTrace code'),
  firstTime: int64.nullable().describe('of the earliest sample, ns since 1970'),
  lastTime: int64.nullable(),
  spanSeconds: z.number().nullable(),
  backwardSteps: count.nullable(),
  errorThreads: z.record(text, z.array(z.object({ thread: text, samples: count }))),
  truncated: z.object({ stacks: count, depth: count }).nullable(),
  gaps: z.object({ count, totalNs: z.number(), longestNs: z.number(), leastNs: z.number() }).nullable(),
  unnamedMethods: count.describe('methods with frames and without a name'),
  deepestStack: count,
  waitingSamples: count.describe('in methods that wait, among those of threads that run'),
  damage: z
    .object({
      isLimit: z.literal(true).optional(),
      what: text,
      byteOffset: count,
      record: count,
      found: text,
      expected: text,
    })
    .nullable(),
  units: z.object({
    counted: z.looseObject({ one: text, many: text }),
    value: z.looseObject({ name: text, unit: z.enum(['ns', 'bytes']) }).optional(),
  }),
  choices: z.array(choice),
  notes: z.array(text),
  tables: z.array(
    z.looseObject({
      title: text,
      columns: z.array(z.object({ name: text, kind: z.enum(['text', 'count', 'ns', 'bytes']) })),
      rows: z.array(z.array(cell)),
      leftOut: count,
    }),
  ),
  scope: z.object({ samples: count, outside: count }).nullable(),
  gzipDamage: z
    .object({ byteOffset: count, found: text })
    .nullable()
    .describe('byteOffset: in the file on disk'),
  summary: z.looseObject({}).describe('the samples in scope, as the window shows them'),
  findings: z.looseObject({}).describe('as leanscope findings has them'),
});

const share = z.number().min(0).max(1);
const level = z.enum(['info', 'warn']);

const FINDINGS = z.object({
  findings: z.array(
    z.object({
      id: text,
      level,
      title: text,
      subject: text.optional(),
      samples: count,
      share: z.object({ low: z.number(), value: z.number(), high: z.number() }).describe('95 % interval'),
      of: text.describe('the whole of the share'),
      where: z.array(z.object({ key: text, share, yours: z.literal(true) })),
      evidence: z.object({
        stacks: z.array(z.object({ frames: z.array(text), share })),
        threads: z.array(z.object({ pool: text, share })),
        when: z.enum(['once', 'few', 'burst', 'steady', 'intermittent']).optional(),
      }),
      why: text,
      doubt: text,
      next: text,
      show: z.object({ keep: z.array(text), select: text.optional() }),
    }),
  ),
  whole: text.optional().describe('of shares, where not all samples in scope count'),
  few: text.optional().describe('a clause: so few samples hide what has a considerable share'),
  checked: z.array(text),
  notAssessed: z.array(z.object({ id: text, title: text, why: text, choose: text.optional() })),
  suppressed: z.array(z.object({ id: text, key: text.optional(), why: text })),
  levels: z.object({ warn: count, info: count }).describe('all that were found'),
  leftOut: z.object({ findings: count }),
});

const JVMS = z.object({
  jvms: z.array(
    z.object({
      pid: count,
      ownPid: count,
      main: text,
      mainArguments: z.union([text, z.array(text)]),
      jvmArguments: z.union([text, z.array(text)]),
      javaVersion: text.nullable(),
      vm: text.nullable(),
      user: text,
      uptimeSeconds: z.number(),
      cpu: z.number(),
      possible: z.array(text),
      obstacle: z.unknown().nullable(),
      agent: z.object({ library: text, log: text.nullable(), control: z.unknown().nullable() }).nullable(),
    }),
  ),
});

const AGENT = z.object({
  isSampling: z.boolean(),
  logPath: text,
  intervalMin: count.nullable(),
  intervalMax: count.nullable(),
  maxFrames: count.nullable(),
});

const file = z.object({ file: text }).shape;

const DATA: Readonly<Record<JsonCommand, z.ZodObject>> = {
  summary: z.object({ ...file, ...SUMMARY.shape }),
  findings: z.object({ ...file, ...FINDINGS.shape }),
  top: z.object({ ...file, ...TOP.shape }),
  tree: z.object({ ...file, ...TREE.shape }),
  method: z.object({ ...file, ...METHOD.shape }),
  timeline: z.object({ ...file, ...TIMELINE.shape }),
  spread: z.object({ ...file, ...SPREAD.shape }),
  operations: z.object({ ...file, ...OPERATIONS.shape }),
  compare: COMPARE,
  'compare-runs': COMPARE_RUNS,
  jvms: JVMS,
  agent: AGENT,
};

export const JSON_COMMANDS = Object.keys(DATA) as readonly JsonCommand[];

/** The schema of a command's JSON: the answer, with its schema's name and version. */
export function jsonSchema(command: JsonCommand): z.ZodObject {
  return z.object({
    schema: z.literal(`leanscope-${command}`),
    version: z.literal(1),
    ...DATA[command].shape,
  });
}

/** The schema as JSON Schema. */
export function jsonSchemaText(command: JsonCommand): string {
  return `${JSON.stringify(z.toJSONSchema(jsonSchema(command)), undefined, 2)}\n`;
}
