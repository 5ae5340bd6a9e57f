import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/**
 * Checks every invariant of the tables. Returns a message for each violation, at most 20: table, row, value and what is
 * allowed. `isMerged`: of several logs, which may use the same ids.
 */
export function checkProfile(profile: LeanProfile, isMerged = false): string[] {
  const { threads, methods, frames, nodes, selfValues } = profile;
  const problems: string[] = [];
  const report = (table: string, row: number, column: string, value: unknown, allowed: string): void => {
    if (problems.length < 20)
      problems.push(`${table}[${row}].${column} is ${String(value)}, allowed: ${allowed}`);
  };
  const threadIds = new Set<string>();
  for (let row = 0; row < threads.length; row++) {
    const id = `${threads.idHi[row]}:${threads.idLo[row]}`;
    if (!isMerged && threadIds.has(id)) report('threads', row, 'id', id, 'unique');
    threadIds.add(id);
    const root = threads.root[row];
    if (root !== NONE && (root < 0 || root >= nodes.length || nodes.frame[root] !== ~row))
      report('threads', row, 'root', root, `-1 or a node whose frame is ${~row}`);
  }
  const methodIds = new Set<string>();
  for (let row = 0; row < methods.length; row++) {
    const id = `${methods.idHi[row]}:${methods.idLo[row]}`;
    if (!isMerged && methodIds.has(id)) report('methods', row, 'id', id, 'unique');
    methodIds.add(id);
  }
  const frameKeys = new Set<string>();
  for (let row = 0; row < frames.length; row++) {
    const method = frames.method[row];
    if (method < 0 || method >= methods.length)
      report('frames', row, 'method', method, `0…${methods.length - 1}`);
    const key = `${method}:${frames.line[row]}:${frames.bci[row]}`;
    if (frameKeys.has(key)) report('frames', row, 'method:line:bci', key, 'unique');
    frameKeys.add(key);
  }
  const paths = new Set<number>();
  for (let row = 0; row < nodes.length; row++) {
    const parent = nodes.parent[row];
    const frame = nodes.frame[row];
    if (parent === NONE) {
      if (frame >= 0 || ~frame >= threads.length) report('nodes', row, 'frame', frame, 'a thread for a root');
      else if (threads.root[~frame] !== row) report('nodes', row, 'frame', frame, 'one root per thread');
    } else {
      if (parent < 0 || parent >= row) report('nodes', row, 'parent', parent, `0…${row - 1}`);
      if (frame < 0 || frame >= frames.length) report('nodes', row, 'frame', frame, `0…${frames.length - 1}`);
    }
    const path = (parent + 1) * (frames.length + threads.length + 1) + frame + threads.length;
    if (paths.has(path)) report('nodes', row, '(parent, frame)', `(${parent}, ${frame})`, 'unique');
    paths.add(path);
  }
  const leaves = new Set<number>();
  for (let row = 0; row < selfValues.length; row++) {
    const node = selfValues.node[row];
    if (node < 0 || node >= nodes.length || nodes.isRoot(node))
      report('selfValues', row, 'node', node, 'a node, no root');
    if (leaves.has(node)) report('selfValues', row, 'node', node, 'unique');
    leaves.add(node);
    if (!Number.isInteger(selfValues.time.ns[row]))
      report('selfValues', row, 'time', selfValues.time.ns[row], 'whole ns');
  }
  return problems;
}
