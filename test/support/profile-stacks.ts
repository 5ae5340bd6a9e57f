import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

export interface StackFrame {
  readonly className: string;
  readonly methodName: string;
  readonly line: number;
  readonly bci: number;
}

/** One call node that has samples of its own. */
export interface ProfileStack {
  /** Undefined: it has no name. */
  readonly thread: string | undefined;
  readonly threadId: number;
  /** Root first. */
  readonly frames: readonly StackFrame[];
  readonly count: number;
  readonly value: bigint;
}

/** Every node with samples of its own, as a stack, for tests that compare with stacks that another tool wrote. */
export function stacksOf({ threads, methods, frames, nodes, selfValues }: LeanProfile): ProfileStack[] {
  const stacks: ProfileStack[] = [];
  for (let self = 0; self < selfValues.length; self++) {
    const path: StackFrame[] = [];
    let node = selfValues.node[self];
    for (; nodes.parent[node] !== NONE; node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const names = methods.names[frames.method[frame]];
      path.push({
        className: names?.className ?? '?',
        methodName: names?.methodName ?? '?',
        line: frames.line[frame],
        bci: frames.bci[frame],
      });
    }
    const thread = ~nodes.frame[node];
    stacks.push({
      thread: threads.name[thread] === '' ? undefined : threads.name[thread],
      threadId: threads.idLo[thread],
      frames: path.reverse(),
      count: selfValues.count[self],
      value: selfValues.time.exact(self),
    });
  }
  return stacks;
}

/** Sums stacks with equal text: `main;Shop.run 3`, sorted. */
export function foldedLines(
  stacks: readonly ProfileStack[],
  text: (stack: ProfileStack) => string,
  weight: 'count' | 'value' = 'count',
): string[] {
  const sums = new Map<string, bigint>();
  for (const stack of stacks) {
    const key = text(stack);
    sums.set(key, (sums.get(key) ?? 0n) + (weight === 'count' ? BigInt(stack.count) : stack.value));
  }
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).sort();
}

/** `java.lang.Thread.run`, or the method alone where there is no class. */
export function methodText({ className, methodName }: StackFrame): string {
  return className === '' ? methodName : `${className}.${methodName}`;
}

/** The first few lines that only one of two texts has: `-` expected, `+` found. */
export function differingLines(found: readonly string[], expected: readonly string[]): string[] {
  const [has, wants] = [new Set(found), new Set(expected)];
  const missing = expected.filter((line) => !has.has(line)).map((line) => `- ${line}`);
  const surplus = found.filter((line) => !wants.has(line)).map((line) => `+ ${line}`);
  return [...missing.slice(0, 3), ...surplus.slice(0, 3)];
}
