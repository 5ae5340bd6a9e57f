import { readFileSync } from 'node:fs';
import type { FactTable } from '../../../shared/facts/format-facts.ts';
import type { LeanProfile } from '../../../shared/profile/lean-profile.ts';
import { sortedStacks } from '../../support/folded-stacks.ts';
import type { ReadInput } from '../../support/read-input.ts';

/** What Android's reader has read of a binary file. */
export interface Golden {
  readonly depth: number;
  readonly threadEvents: readonly {
    readonly type: 'START' | 'END';
    readonly threadId: number;
    readonly name?: string;
    readonly group?: string;
    readonly parentGroup?: string;
  }[];
  readonly frames: readonly (readonly [string, string, string | null, number])[];
  readonly traces: readonly {
    readonly threadId: number;
    readonly count: number;
    readonly frames: readonly number[];
  }[];
}

export const jsonOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The rows of the table of threads among the facts. */
export function threadRows({ decoder }: ReadInput): FactTable['rows'] {
  return decoder.facts().tables.find(({ title }) => title === 'Threads')?.rows ?? [];
}

/** `thread;Class.method|file|line;… count`, native methods as line `native`. */
export function stacksWithLines({ threads, methods, frames, nodes, selfValues }: LeanProfile): string[] {
  const stacks = new Map<string, number>();
  for (let self = 0; self < selfValues.length; self++) {
    let text = '';
    let node = selfValues.node[self];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const names = methods.names[frames.method[frame]];
      const line = frames.bci[frame] === -3 ? 'native' : frames.line[frame] > 0 ? frames.line[frame] : 'none';
      text += `;${names?.className}.${names?.methodName}|${names?.file}|${line}`;
    }
    const key = `${threads.idLo[~nodes.frame[node]]}${text}`;
    stacks.set(key, (stacks.get(key) ?? 0) + selfValues.count[self]);
  }
  return sortedStacks(stacks);
}

/** Stacks of a golden file, in the form of `stacksWithLines`. There, `native` is the line of native methods. */
export function goldenStacks(frames: Golden['frames'], traces: Golden['traces'], native: number): string[] {
  const stacks = new Map<string, number>();
  for (const trace of traces) {
    const key = `${trace.threadId}${trace.frames
      .map((at) => {
        const [className, method, file, line] = frames[at];
        return `;${className}.${method}|${file ?? ''}|${line === native ? 'native' : line > 0 ? line : 'none'}`;
      })
      .join('')}`;
    stacks.set(key, (stacks.get(key) ?? 0) + trace.count);
  }
  return sortedStacks(stacks);
}
