import {
  AGENT_OPTIONS,
  type AgentChanges,
  type AgentKey,
  type AgentState,
  MOST_AGENT_COMMAND_BYTES,
} from '../../shared/agent/agent-options.ts';

/** What can be set over the control port. */
export const AGENT_FIELDS = [
  'intervalMin',
  'intervalMax',
  'maxFrames',
  'logPath',
] as const satisfies readonly AgentKey[];
export type AgentField = (typeof AGENT_FIELDS)[number];

/** What is in each field. */
export type AgentTexts = Readonly<Record<AgentField, string>>;

export function textsOf(agent: AgentState): AgentTexts {
  const texts = AGENT_FIELDS.map((field) => [field, textOf(agent, field)] as const);
  return Object.fromEntries(texts) as Record<AgentField, string>;
}

/** Empty for what the agent does not know. */
function textOf(agent: AgentState, field: AgentField): string {
  return String(agent[field] ?? '');
}

/** What the agent has taken replaces what was typed; what it has not stays. */
export function textsAfter(typed: AgentTexts, before: AgentState, after: AgentState): AgentTexts {
  const changed = AGENT_FIELDS.filter((field) => before[field] !== after[field]);
  return { ...typed, ...Object.fromEntries(changed.map((field) => [field, textOf(after, field)])) };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What was changed, or what is wrong with it: a sentence. */
export function changesOf(
  agent: AgentState,
  texts: AgentTexts,
): { readonly changes: AgentChanges; readonly problem: string | undefined } {
  const changes: Record<string, number | string> = {};
  for (const { key, name, kind, least = 0, most = Infinity } of AGENT_OPTIONS) {
    const field = AGENT_FIELDS.find((each) => each === key);
    if (field === undefined || texts[field].trim() === textOf(agent, field)) continue;
    const text = texts[field].trim();
    if (kind !== 'number') {
      if (text === '' || /\s/.test(text))
        return { changes: {}, problem: `${name}: the control port takes a path without blanks.` };
      const bytes = bytesOf(text);
      const most = MOST_AGENT_COMMAND_BYTES - bytesOf(`set ${key} `);
      if (bytes > most)
        return {
          changes: {},
          problem: `${name}: the control port takes a path of at most ${most} bytes. This one has ${bytes}.`,
        };
      changes[key] = text;
      continue;
    }
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(number >= least && number <= most))
      return { changes: {}, problem: `${name} is a whole number from ${least} to ${most}.` };
    changes[key] = number;
  }
  const { intervalMin = agent.intervalMin, intervalMax = agent.intervalMax } = changes as AgentChanges;
  return intervalMin !== undefined && intervalMax !== undefined && intervalMax < intervalMin
    ? { changes: {}, problem: 'The longest interval is shorter than the shortest.' }
    : { changes, problem: undefined };
}
