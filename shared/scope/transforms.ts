import { assert } from '../assert.ts';
import { type FrameGrouping, type FrameKeys, refines, withErrorsApart } from '../engine/trees/grouping.ts';
import type { Transform } from './scope.ts';
import { TRANSFORMS, type TransformEntry, type TransformKind } from './transform-list.ts';

/** The kind of a transform. */
export function kindOf({ kind }: Transform): TransformKind {
  const found = TRANSFORMS.find((each) => each.kind === kind);
  assert(found !== undefined, 'each transform has its kind in the list');
  return found;
}

/** A transform of keys that can say what these are made of. */
export function isKeyed(transform: Transform): transform is Extract<Transform, { key: string }> {
  return kindOf(transform).keys === 'given';
}

/** The grouping that makes the keys of a transform; undefined for one that compares none. `inUse`: the frame grouping. */
export function keysOfTransform(transform: Transform, inUse: FrameGrouping): FrameGrouping | undefined {
  if (isKeyed(transform)) return transform.keys ?? inUse;
  return kindOf(transform).keys === 'none' ? undefined : 'fqmn';
}

/** The transform with what its keys are made of, so that it means the same in every frame grouping. */
export function withKeys(transform: Transform, inUse: FrameGrouping): Transform {
  return isKeyed(transform) ? { ...transform, keys: transform.keys ?? inUse } : transform;
}

/** The entries of a menu. `label`: of a frame; undefined: there is none. */
export function transformEntries(
  part: TransformKind['part'],
  label: string | undefined,
): readonly TransformEntry[] {
  return TRANSFORMS.filter((each) => each.part === part).flatMap((each) => each.menu(label));
}

/** The keys of entries, and what they do to the selected method or frame. */
export function transformKeys(): readonly { readonly title: string; readonly keys: readonly string[] }[] {
  return TRANSFORMS.flatMap((kind) => kind.menu('package.Class.method')).flatMap(({ text, key }) =>
    key === undefined ? [] : [{ title: text, keys: [key] }],
  );
}

/**
 * Keys that tell apart all frames which `shown` or a transform tells apart: rows of such a tree have what a scope needs.
 * Errors are apart. undefined: there are none, because lines, BCIs and ids tell different frames apart. `inUse`: see `keysOfTransform`.
 *
 *   shown    transforms       common
 *   fqmn     fqmn             fqmn
 *   fqmn     line, fqmn       line
 *   line     fqmn             line
 *   line     bci              none
 */
export function commonKeys(
  shown: FrameKeys,
  transforms: readonly Transform[],
  inUse: FrameGrouping,
): FrameKeys | undefined {
  const needed: FrameKeys[] = [withErrorsApart(shown)];
  for (const transform of transforms) {
    const keys = keysOfTransform(transform, inUse);
    if (keys !== undefined) needed.push(keys);
  }
  return needed.find((fine) => needed.every((coarse) => refines(fine, coarse)));
}
