import { NO_LINE } from '../../shared/profile/frame-table.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** Every stack that a sample ended at, as `thread;root;…;leaf` with lines, and what it has itself: `count ns`. */
export function stackCounts(profile: LeanProfile): Record<string, string> {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const found: Record<string, string> = {};
  for (let row = 0; row < selfValues.length; row++) {
    const path: string[] = [];
    let node = selfValues.node[row];
    for (; !nodes.isRoot(node); node = nodes.parent[node]) {
      const frame = nodes.frame[node];
      const names = methods.names[frames.method[frame]];
      const line = frames.line[frame];
      path.push(`${names?.className}.${names?.methodName}${line === NO_LINE ? '' : `:${line}`}`);
    }
    path.push(threads.name[~nodes.frame[node]] ?? '');
    const key = path.reverse().join(';');
    if (key in found) throw new Error(`twice: ${key}`);
    found[key] = `${selfValues.count[row]} ${selfValues.time.text(row)}`;
  }
  return found;
}
