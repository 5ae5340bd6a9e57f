import type { JvmEntry } from '../../shared/protocol/jvm-messages.ts';

/** The JVMs whose line or arguments contain all words of a text, in any case. Pure. */
export function matchingJvms(list: readonly JvmEntry[], text: string): readonly JvmEntry[] {
  const words = text.toLowerCase().split(/\s+/);
  return list.filter(({ pid, main, commandLine, version = '', user }) => {
    const line = `${pid} ${main} ${commandLine} ${version} ${user}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
}
