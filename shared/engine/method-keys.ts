import { NONE } from '../profile/columns.ts';
import { frameKey, type KeyTable } from './trees/keys.ts';
import { frameIdOf, isLineId } from './views/method-list.ts';
import type { RowId } from './trees/row-tree.ts';
import type { MethodRef } from './query.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { FrameGrouping } from './trees/grouping.ts';

/** The frames of what the panes show, and their identities, which are the same in every scope. */
interface FrameIds {
  /** The frame of the call node with this identity, negative for a thread; NONE if there is no such node. */
  frameOfNode(id: number): number;
  idOfFrame(frame: number): number;
  /** The frame with this identity; NONE if there is none. */
  frameOf(id: number): number;
}

/**
 * The keys of methods. A method is remembered by its frame: a row by which it was chosen may not exist after a change of
 * the grouping.
 */
export class MethodKeys {
  /** Method as a pane names it -> identity of its first frame. */
  readonly remembered: Map<string, number>;
  readonly #frames: FrameIds;

  constructor(frames: FrameIds, remembered: Map<string, number>) {
    this.#frames = frames;
    this.remembered = remembered;
  }

  of(method: MethodRef, keys: KeyTable): number | undefined {
    const name = `${method.of} ${method.id} ${method.label}`;
    const known = this.remembered.get(name);
    const frame = known === undefined ? this.#frameOfMethod(method, keys) : this.#frames.frameOf(known);
    if (frame === NONE) return undefined;
    if (known === undefined) this.remembered.set(name, this.#frames.idOfFrame(frame));
    const key = keys.keyOf(frame);
    // A split method has the first frame of one of its lines.
    return key === undefined || keys.labels[key] === method.label ? key : keys.methodOf[key];
  }

  /** The key that a row of methods stands for; undefined if its frames are not in scope. */
  ofRow(id: RowId, keys: KeyTable): number | undefined {
    const key = keys.keyOf(this.#frames.frameOf(frameIdOf(id)));
    return key === undefined || isLineId(id) ? key : keys.methodOf[key];
  }

  #frameOfMethod({ of, id, label }: MethodRef, keys: KeyTable): number {
    if (of === 'methods') return this.#frames.frameOf(frameIdOf(id));
    if (of === 'calls') return Math.max(this.#frames.frameOfNode(id), NONE);
    const key = keys.find(label);
    return key < 0 ? NONE : keys.firstFrame[key];
  }
}

/** The name by which frames are of one method, whatever their lines: with its id where the grouping tells ids apart. */
export function methodKey(profile: LeanProfile, frame: number, grouping: FrameGrouping): string {
  return frameKey(profile, frame, grouping === 'method-id' ? 'method-id' : 'fqmn');
}

/** Frame -> whether it is of the method with this key. */
export function isOfMethod(
  profile: LeanProfile,
  key: string,
  grouping: FrameGrouping,
): (frame: number) => boolean {
  const { method } = profile.frames;
  /** Method -> whether it has the key; undefined until one of its frames is looked at. */
  const known: (boolean | undefined)[] = [];
  return (frame) => (known[method[frame]] ??= methodKey(profile, frame, grouping) === key);
}
