import { NO_LINE } from '../../shared/profile/frame-table.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

export interface FoldedOptions {
  /** The text for a thread, in front of its stacks; undefined: none. */
  readonly thread?: (name: string, id: number) => string;
  readonly lines?: boolean;
  /** What is counted: self samples, or self time. */
  readonly time?: boolean;
}

/**
 * The stacks of a profile, root first, and what ended in each: `Gen.main;Shop.sell` -> 3. Walks the tables itself, so
 * that references are compared with the tables and not with an export.
 */
export function foldedStacks(profile: LeanProfile, options: FoldedOptions = {}): Map<string, number> {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const folded = new Map<string, number>();
  for (let self = 0; self < selfValues.length; self++) {
    const stack: string[] = [];
    let node = selfValues.node[self];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const names = methods.names[frames.method[frame]];
      const name = names === undefined ? '?' : `${names.className}.${names.methodName}`.replace(/^\./, '');
      const line = frames.line[frame];
      stack.push(options.lines === true && line !== NO_LINE ? `${name}:${line}` : name);
    }
    const thread = ~nodes.frame[node];
    if (options.thread !== undefined)
      stack.push(options.thread(threads.name[thread] ?? '?', threads.idLo[thread]));
    const key = stack.reverse().join(';');
    const weight = options.time === true ? Number(selfValues.time.exact(self)) : selfValues.count[self];
    folded.set(key, (folded.get(key) ?? 0) + weight);
  }
  return folded;
}

/** The same, parsed from a text with lines `stack count`. */
export function foldedText(text: string): Map<string, number> {
  const folded = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const blank = line.lastIndexOf(' ');
    const key = line.slice(0, blank);
    folded.set(key, (folded.get(key) ?? 0) + Number(line.slice(blank + 1)));
  }
  return folded;
}

/** Sorted, so that a difference is easy to read. */
export function sortedStacks(folded: ReadonlyMap<string, number>): string[] {
  return Array.from(folded, ([stack, count]) => `${stack} ${count}`).sort();
}
