import type { Transform } from '../../shared/scope/scope.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { isKeyed, kindOf } from '../../shared/scope/transforms.ts';
import { field } from './address-field.ts';

/**
 * The fields of transforms in an address, with the names of the command line. `frames`: what keys are made of until a field
 * says it: `drop=Shop.wait&keys=line&merge=Shop.run:12`.
 */
export function fieldsOfTransforms(
  transforms: readonly Transform[],
  frames: FrameGrouping,
): readonly string[] {
  const fields: string[] = [];
  let keys = frames;
  for (const transform of transforms) {
    const own = isKeyed(transform) ? (transform.keys ?? frames) : keys;
    if (own !== keys) fields.push(field('keys', own));
    keys = own;
    const kind = kindOf(transform);
    fields.push(
      ...kind
        .values(transform)
        .map((value, at) => field(at === 0 ? kind.kind : (kind.more?.field ?? kind.kind), value)),
    );
  }
  return fields;
}

/** Adds a further value to the last transform, if the field is one of its kind. */
export function addValue(transforms: Transform[], name: string, value: string): void {
  const last = transforms.at(-1);
  if (last === undefined) return;
  const { more } = kindOf(last);
  if (more?.field === name) transforms[transforms.length - 1] = more.add(last, value);
}
