import type { LogFacts } from '../facts/log-facts.ts';
import type { ShareChange, ShareInterval } from '../engine/values/share-change.ts';
import type { TimePattern } from '../engine/views/time-pattern.ts';

export type FindingLevel = 'info' | 'warn';

/** A share of the samples; fractions. Low and high are the ends of its 95 % interval. */
export interface FindingShare extends ShareInterval {
  readonly value: number;
}

/** A part of the time. */
export interface FindingPeriod {
  /** As in `TimeRange`: ns, decimal. */
  readonly from: string;
  readonly to: string;
  /** Since the earliest sample of the file: `5:12 to 6:41`. */
  readonly text: string;
  /** The share at other times. */
  readonly usual: number;
}

/** Something that is probably wrong in a program or in its profile, with how sure that is. */
export interface Finding {
  /** The id of the check, which is stable: `F3`. */
  readonly id: string;
  readonly level: FindingLevel;
  readonly title: string;
  /** The frame, thread or pool that it is about; undefined: the profile as a whole. */
  readonly subject?: string;
  /** Samples that carry it, or measured values. */
  readonly samples: number;
  readonly share: FindingShare;
  /** The whole of the share, in words. */
  readonly of: string;
  /** The time that it is about; undefined: all that is looked at. */
  readonly period?: FindingPeriod;
  /** The nearest frames of the program's own code, the heaviest first. Shares are of the same whole. */
  readonly where: readonly { readonly key: string; readonly share: number; readonly yours: true }[];
  readonly evidence: {
    /** Whole stacks, root first: the three heaviest. */
    readonly stacks: readonly { readonly frames: readonly string[]; readonly share: number }[];
    /** Pools of threads with their part of the finding, the heaviest first. */
    readonly threads: readonly { readonly pool: string; readonly share: number }[];
    /** Undefined where the times of samples are not known. */
    readonly when?: TimePattern;
  };
  /** A sentence each: why it matters, when it is wrong, and what to do. */
  readonly why: string;
  readonly doubt: string;
  readonly next: string;
  /** The part of the profile to look at: frames that its stacks must have, and the row to select. */
  readonly show: { readonly keep: readonly string[]; readonly select?: string };
}

/** A finding of the new one of two profiles, whose share is larger there than chance explains. */
export interface GrownFinding {
  readonly finding: Finding;
  /** Its share in the base, and the difference with its 95 % interval; fractions. */
  readonly from: number;
  readonly change: ShareChange;
}

/** A check that cannot be made of these samples. */
export interface NotAssessed {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  /** The sample type of the file of which it can be made: `lock`. */
  readonly choose?: string;
}

/** The answer to the question what is wrong. Each check is in exactly one of `checked` and `notAssessed`. */
export interface FindingsAnswer {
  readonly version: 1;
  /** Warnings first, then by share. */
  readonly findings: readonly Finding[];
  /** The samples that shares of stacks are of: `samples with a stack`; undefined: all that a summary of the scope counts. */
  readonly whole?: string;
  /** `202 samples are few: …`, a clause, where checks cannot see what has a considerable share; undefined: they are enough. */
  readonly few?: string;
  readonly checked: readonly string[];
  readonly notAssessed: readonly NotAssessed[];
  /** Findings that the project file silences, with its reason. */
  readonly suppressed: readonly { readonly id: string; readonly key?: string; readonly why: string }[];
}

/** The lower end of a share from which on a finding is one; fractions. Without `warn` it never warns. */
export interface Thresholds {
  readonly info: number;
  readonly warn?: number;
}

/** The project file `.leanscope.json`: which code is its own, and which findings it knows. */
export interface FindingsProject {
  /** Prefixes of its classes; empty: everything outside the JDK and known frameworks. */
  readonly own: readonly string[];
  /** Folders of its sources. */
  readonly sources: readonly string[];
  /** Id of a check -> thresholds instead of its own. */
  readonly thresholds: Readonly<Record<string, Partial<Thresholds>>>;
  readonly suppress: readonly { readonly id: string; readonly key?: string; readonly why: string }[];
}

export const NO_PROJECT: FindingsProject = { own: [], sources: [], thresholds: {}, suppress: [] };

/** The facts of a file besides its samples, as far as checks ask for them. */
export type FindingFacts = Pick<
  LogFacts,
  | 'units'
  | 'series'
  | 'errorSamples'
  | 'truncated'
  | 'losses'
  | 'samples'
  | 'format'
  | 'choices'
  | 'spanNs'
  | 'hasSampleTimes'
  | 'deepestStack'
>;
