import type { Damage } from './damage.ts';
import { type FormatFacts, NO_FACTS } from './format-facts.ts';
import type { FormatId } from './format-id.ts';

/** Why an input cannot be shown as a profile at all. */
export interface InputProblem {
  /** A sentence: 'Not a supported profile: this looks like plain text.' */
  readonly text: string;
  /** What to do, a clause in the imperative: 'copy the file again'. */
  readonly advice: string;
  /** What was checked and why it does not fit: every format, the main one first, or the files of an archive. */
  readonly reasons: readonly { readonly name: string; readonly because: string }[];
}

/** What has been read of a log so far: the part of a status that is not about the file. */
export interface LogFacts extends Pick<
  FormatFacts,
  'units' | 'choices' | 'notes' | 'tables' | 'errorSamples' | 'backwardSteps'
> {
  /** undefined until the format is recognised. */
  readonly format: FormatId | undefined;
  /** For people; empty until then. */
  readonly formatName: string;
  /** Information that this format does not record, one clause each. */
  readonly cannotTell: readonly string[];
  readonly damage: Damage | undefined;
  /** Set when there is nothing to show, and nothing more is read. */
  readonly problem: InputProblem | undefined;
  readonly acceptedBytes: number;
  readonly skippedBytes: number;
  readonly pendingBytes: number;
  readonly samples: number;
  readonly threads: number;
  readonly methods: number;
  readonly frames: number;
  readonly nodes: number;
  /** Last minus first sample, ns; undefined for logs without times. */
  readonly spanNs: number | undefined;
  readonly deepestStack: number;
}

/** The facts before anything is read. */
export const NO_LOG_FACTS: LogFacts = {
  format: undefined,
  formatName: '',
  cannotTell: [],
  units: NO_FACTS.units,
  choices: [],
  notes: [],
  tables: [],
  damage: undefined,
  problem: undefined,
  acceptedBytes: 0,
  skippedBytes: 0,
  pendingBytes: 0,
  samples: 0,
  threads: 0,
  methods: 0,
  frames: 0,
  nodes: 0,
  errorSamples: {},
  spanNs: undefined,
  backwardSteps: undefined,
  deepestStack: 0,
};
