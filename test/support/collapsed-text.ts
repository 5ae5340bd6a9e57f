import { exportCollapsed } from '../../shared/export/collapsed.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ThreadGrouping } from '../../shared/engine/trees/grouping.ts';

/** A profile as collapsed stacks. */
export function collapsedOf(
  profile: LeanProfile,
  threads: ThreadGrouping = 'all',
  frames: 'fqmn' | 'line' = 'fqmn',
  metric: 'samples' | 'time' = 'samples',
): string {
  const options = {
    threads,
    frames,
    metric,
    filter: { hideErrors: false, contains: [] },
  } as const;
  return collectText((sink) => exportCollapsed({ profile, ...options }, sink));
}

/**
 * Collapsed stacks in a canonical form, by a simple reader: equal stacks added, sorted by code units. `frame` maps the
 * text of each frame.
 */
export function addedUp(text: string, frame: (text: string) => string = (each) => each): string {
  const stacks = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^(.+) ([\d.]+)$/.exec(line);
    if (match === null || line.startsWith('#')) continue;
    // Some tools write a semicolon after the last frame. A blank between two is a frame.
    const frames = match[1].split(';').filter((each) => each !== '');
    const stack = frames.map(frame).join(';');
    stacks.set(stack, (stacks.get(stack) ?? 0) + Number(match[2]));
  }
  const lines = Array.from(stacks, ([stack, weight]) => `${stack} ${weight}\n`);
  return lines.sort((a, b) => (a < b ? -1 : 1)).join('');
}

/** A frame of async-profiler as we show it: without the suffix of its type, and a method of Java with dots. */
export function dottedFrame(frame: string): string {
  const bare = frame.replace(/_\[[jik01]\]$/, '');
  return /^[\w$/+.-]+\.([\w$-]+|<\w+>)$/.test(bare) && !/^\d/.test(bare) ? bare.replaceAll('/', '.') : bare;
}
