/** All that an agent tells about itself. Agents of before their settings could be queried tell no numbers. */
export interface AgentState {
  readonly isSampling: boolean;
  /** As the agent names it: relative to the working directory of its JVM. */
  readonly logPath: string;
  /** ms */
  readonly intervalMin?: number | undefined;
  readonly intervalMax?: number | undefined;
  readonly maxFrames?: number | undefined;
}

/** What may be changed while an agent does not sample. */
export type AgentChanges = Partial<Omit<AgentState, 'isSampling'>>;

/** Whether an agent has settings that can be changed. */
export function hasSettings({ intervalMin, maxFrames }: AgentState): boolean {
  return intervalMin !== undefined || maxFrames !== undefined;
}
