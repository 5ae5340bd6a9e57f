import { isKeyed, MACHINE_NAMES, type Transform } from '../../shared/scope/scope.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';
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
    fields.push(...fieldsOf(transform));
  }
  return fields;
}

function fieldsOf(transform: Transform): readonly string[] {
  switch (transform.kind) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return [field(transform.kind, transform.key)];
    case 'only':
      return transform.prefixes.map((prefix, at) => field(at === 0 ? 'only' : 'or', prefix));
    case 'collapse':
      return [field('collapse', transform.prefix)];
    case 'collapse-class':
      return [field('collapse-class', transform.className)];
    case 'collapse-recursion':
      return [field('collapse-recursion', transform.of)];
    case 'fold':
      return [field('fold', transform.names.join(','))];
  }
}

/** The transform that a field says; undefined for another field. */
export function transformOf(
  name: string,
  value: string,
  keys: FrameGrouping | undefined,
): Transform | undefined {
  switch (name) {
    case 'keep':
    case 'drop':
    case 'focus':
    case 'merge':
      return { kind: name, key: value, keys };
    case 'only':
      return { kind: 'only', prefixes: [value], keys };
    case 'collapse':
      return { kind: 'collapse', prefix: value, keys };
    case 'collapse-class':
      return { kind: 'collapse-class', className: value };
    case 'collapse-recursion':
      return value === 'all' || value === 'direct'
        ? { kind: 'collapse-recursion', of: value, keys }
        : undefined;
    case 'fold': {
      const wanted = value.split(',');
      const names = MACHINE_NAMES.filter((each) => wanted.includes(each));
      return names.length === 0 ? undefined : { kind: 'fold', names };
    }
    default:
      return undefined;
  }
}

/** A further prefix of the `only` before it. */
export function addPrefix(transforms: Transform[], prefix: string): void {
  const last = transforms.at(-1);
  if (last?.kind === 'only')
    transforms[transforms.length - 1] = { ...last, prefixes: [...last.prefixes, prefix] };
}
