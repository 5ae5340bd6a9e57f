import { z } from 'zod';
import { PAGE_VERSION } from './page-ids.ts';

const count = z.number().int().nonnegative();
const text = z.string();

/** The facts of a log besides its samples. Nothing in it names the machine, the command line or the environment. */
const FACTS = z.object({
  format: text.optional(),
  formatName: text,
  notRecorded: z.array(text),
  units: z.object({
    counted: z.object({
      one: text,
      many: text,
      isSampled: z.boolean().exactOptional(),
      isDependent: z.boolean().exactOptional(),
    }),
    value: z.object({ name: text, unit: z.enum(['ns', 'bytes']), meaning: text.exactOptional() }).optional(),
  }),
  notes: z.array(text),
  javaVersion: text.optional(),
  series: z.array(
    z.object({
      id: text,
      name: text.optional(),
      kind: z.enum(['pauses', 'share', 'bytes', 'time', 'number']),
      log: text.optional(),
      first: text.regex(/^-?\d{1,19}$/),
      at: z.array(z.number()),
      values: z.array(z.number()),
      pauses: z.object({ count: z.number(), longestMs: z.number() }).optional(),
    }),
  ),
  errorSamples: z.record(text, z.number()),
  truncated: z.object({ stacks: z.number(), depth: z.number() }).optional(),
  losses: z.array(
    z.object({
      kind: z.enum(['truncated', 'failed', 'uncounted']),
      amount: text,
      why: text,
      advice: text.optional(),
    }),
  ),
  gaps: z
    .object({ count: z.number(), totalNs: z.number(), longestNs: z.number(), leastNs: z.number() })
    .optional(),
  hasSampleTimes: z.boolean(),
  backwardSteps: z.number().optional(),
  spanNs: z.number().optional(),
  lastTime: text.regex(/^-?\d{1,19}$/).optional(),
  deepestStack: z.number(),
});

/** The description of a page's profiles, as JSON before them. */
export const PAGE_HEAD = z.object({
  version: z.literal(PAGE_VERSION),
  /** The version of Leanscope that made it. */
  madeBy: text,
  /** A sentence: of what, when recorded, how many samples. */
  about: text,
  /** A text of its maker; empty if there is none. */
  note: text,
  /** The view of its maker, as the fragment of an address; empty: everything. */
  view: text,
  /** The settings of its maker's window; undefined: it was made without a window. */
  preferences: text.optional(),
  /** One, or the two sides of a comparison, the new one first. */
  logs: z
    .array(
      z.object({
        name: text,
        facts: FACTS,
        /** Lengths in bytes of the deltas that make up its profile, from nothing. */
        deltas: z.array(count).min(1),
      }),
    )
    .min(1)
    .max(2),
});

export type PageHead = z.infer<typeof PAGE_HEAD>;
export type PageFacts = z.infer<typeof FACTS>;
