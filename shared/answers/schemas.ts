/** The JSON of commands, and of the structured answers to assistants: one schema each. */
import { z } from 'zod';

const share = z.number().min(0).max(1).describe('a fraction');
const count = z.number().min(0).describe('a count, possibly a fraction');
const interval = z
  .object({ low: z.number(), high: z.number() })
  .describe('95 % interval, fractions')
  .nullable()
  .describe('null: chance has no known part in it');
const units = z
  .object({ counted: z.string(), value: z.enum(['ns', 'bytes']).nullable() })
  .describe('what is counted, and the unit of values');
const whole = z
  .object({ samples: count, value: z.number().nullable() })
  .describe('all in scope, of which shares are');
const metric = z.enum(['samples', 'time']);
const exactValue = z
  .string()
  .regex(/^-?\d+$/)
  .nullable()
  .describe('exact, decimal; null without values');

export const TOP = z.object({
  group: z.string(),
  by: z.enum(['self', 'total']),
  metric,
  units,
  whole,
  rows: z.array(
    z.object({
      key: z.string(),
      self: count.nullable(),
      selfShare: share.nullable(),
      total: count,
      totalShare: share,
      interval: interval.describe('of the share by which rows are sorted'),
      selfValue: exactValue,
      totalValue: exactValue,
      mayRankAfterNext: z.boolean().describe('another recording could swap this row and the next'),
    }),
  ),
  coverage: share.nullable().describe('self samples of all rows; null for totals'),
  leftOut: z.object({ rows: count, of: z.string() }),
});
export type TopData = z.infer<typeof TOP>;

export const TREE = z.object({
  of: z.enum(['calls', 'callers', 'callees', 'bottom-up']),
  method: z.string().nullable(),
  threads: z.string(),
  metric,
  units,
  whole,
  rows: z
    .array(
      z.union([
        z.object({
          depth: count,
          key: z.string(),
          last: z.string().nullable().describe('the last frame of a chain of only calls'),
          total: count,
          self: count,
          share: z.number(),
        }),
        z.object({ depth: count, leftOut: count, weight: z.number(), share: z.number() }),
      ]),
    )
    .describe('pre-order; self and the rows of the next level have all that a row has'),
});
export type TreeData = z.infer<typeof TREE>;

const rows = z.object({
  rows: z.array(z.object({ key: z.string(), samples: count, share })),
  leftOut: z.object({ rows: count, samples: count.nullable() }),
});

export const METHOD = z.object({
  key: z.string(),
  units,
  whole,
  self: count,
  selfShare: share,
  total: count,
  totalShare: share,
  interval: interval.describe('of the total'),
  callers: rows.describe('shares are of the total of the method'),
  callees: rows,
  lines: z.object({
    rows: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        self: count,
        total: count,
        source: z.string().nullable(),
      }),
    ),
    leftOut: z.object({ rows: count, samples: count.nullable() }),
  }),
  when: z
    .object({
      pattern: z.enum(['once', 'few', 'burst', 'steady', 'intermittent']),
      parts: z.array(count).describe('samples in 24 equal parts of the time'),
    })
    .nullable(),
  pools: rows,
  stacks: z
    .array(z.object({ frames: z.array(z.string()), samples: count, share }))
    .describe('the three heaviest, root first'),
  timed: z
    .array(
      z.object({
        method: z.string().describe('with its parameters'),
        calls: count,
        minimumNs: z.number().nullable(),
        averageNs: z.number().nullable(),
        maximumNs: z.number().nullable(),
      }),
    )
    .optional()
    .describe('exact numbers of each call, where the JVM has timed the method'),
});
export type MethodData = z.infer<typeof METHOD>;

const seconds = z
  .string()
  .regex(/^-?\d+(\.\d+)?s$/)
  .describe('since the earliest sample, as --from takes it');

export const TIMELINE = z.object({
  by: z.enum(['all', 'thread', 'pool', 'method']),
  units,
  whole: count,
  from: seconds,
  to: seconds,
  firstSample: z.string().describe('the earliest sample, ns since 1970'),
  partSeconds: z.number(),
  total: z.array(count).describe('samples of each part'),
  rows: z.array(
    z.object({
      key: z.string(),
      samples: count,
      share,
      parts: z.array(count),
      pattern: z.enum(['once', 'few', 'burst', 'steady', 'intermittent']).nullable(),
    }),
  ),
  leftOut: z.object({ rows: count, samples: count }),
  bursts: z.array(
    z.object({
      from: seconds,
      to: seconds,
      samples: count,
      timesMean: z.number().describe('samples of a part, in means of all parts'),
    }),
  ),
});
export type TimelineData = z.infer<typeof TIMELINE>;

export const SPREAD = z.object({
  by: z.enum(['self', 'total']),
  metric,
  units,
  parts: z
    .array(z.object({ name: z.string(), samples: count, from: seconds.optional(), to: seconds.optional() }))
    .describe('what is compared: hosts, threads, files, hours; from, to: of parts of the time'),
  untimed: count.describe('samples in no part of the time, because they have none'),
  rows: z
    .array(
      z.object({
        key: z.string(),
        median: share,
        least: share,
        most: share,
        shares: z.array(share).describe('of each part'),
        standOut: z.array(
          z.object({
            part: z.string(),
            share,
            difference: z.number().describe('from the median'),
            interval: z
              .object({ low: z.number(), high: z.number() })
              .describe('95 % interval of the difference'),
          }),
        ),
        since: z
          .object({ part: z.string(), before: share, after: share })
          .nullable()
          .describe('the first part of a lasting change; null where parts do not follow each other in time'),
      }),
    )
    .describe('the largest differences first'),
  leftOut: z.object({ rows: count }),
});
export type SpreadData = z.infer<typeof SPREAD>;

const duration = z.number().min(0).describe('seconds');

export const OPERATIONS = z.object({
  by: z.string().describe('the attribute whose values are rows; began: rows are parts of the time'),
  keys: z.array(z.string()).describe('all attributes'),
  units,
  whole: count.describe('samples in scope, of which shares are'),
  samples: count.describe('those in the contexts that are listed'),
  rows: z.array(
    z.object({
      name: z.string(),
      began: z.string().optional().describe('the part of the time, as --began takes it'),
      count,
      total: duration,
      mean: duration,
      p50: duration,
      p95: duration,
      p99: duration,
      longest: duration,
      onCpu: z
        .number()
        .min(0)
        .nullable()
        .describe(
          'part of their time in which samples in scope found their threads computing; null: unknown',
        ),
      samples: count,
      share,
      hottest: z
        .object({ method: z.string(), samples: count })
        .nullable()
        .describe('where most of its samples ended'),
    }),
  ),
  leftOut: count.describe('further rows'),
  unsampled: z
    .object({ count, ns: count, threads: count, seconds: duration, namesCarriers: z.boolean() })
    .describe('contexts of threads that have no sample'),
});
export type OperationsData = z.infer<typeof OPERATIONS>;

const side = z.object({ name: z.string(), samples: count, value: z.number().nullable() });
const ofSide = z.object({ samples: count, share });

export const COMPARE = z.object({
  base: side,
  new: side,
  units,
  metric,
  notes: z.array(z.string()),
  changes: z.array(
    z.object({
      key: z.string(),
      of: z.enum(['self', 'total']),
      base: ofSide,
      new: ofSide,
      difference: z.number(),
      interval,
      certainty: z.enum(['real', 'chance', 'unknown', 'exact']),
    }),
  ),
  leftOut: z.object({ changes: count, beyondChance: count }),
});
export type CompareData = z.infer<typeof COMPARE>;

const run = z.object({ name: z.string(), samples: count });
const ofRuns = z.object({ share, shares: z.array(share).describe('of each run') });

/** Several runs of each side. */
export const COMPARE_RUNS = z.object({
  base: z.array(run),
  new: z.array(run),
  units,
  comparability: z.string().describe('a sentence: whether they can be compared'),
  noiseFloor: z
    .object({ least: z.number(), runsForHalf: count })
    .nullable()
    .describe('the smallest change that the runs could have shown; null with one run a side'),
  changes: z
    .array(
      z.object({
        key: z.string(),
        of: z.enum(['self', 'total']),
        base: ofRuns,
        new: ofRuns,
        difference: z.number(),
        interval,
        certainty: z.enum(['real', 'chance', 'unknown', 'exact']),
      }),
    )
    .describe('the largest differences first, without those that are chance'),
  renames: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('a method that vanished and one that came, which are alike'),
});
export type CompareRunsData = z.infer<typeof COMPARE_RUNS>;
