/** All that an agent tells about itself. */
export interface AgentState {
  readonly isSampling: boolean;
  /** As the agent names it: relative to the working directory of its JVM. */
  readonly logPath: string;
  /** ms */
  readonly intervalMin: number;
  readonly intervalMax: number;
  readonly maxFrames: number;
}

/** What may be changed while an agent does not sample. */
export type AgentChanges = Partial<Omit<AgentState, 'isSampling'>>;
