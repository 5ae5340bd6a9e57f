import type { Scope, Transform } from '../../shared/scope/scope.ts';
import { type Model, modelKey } from './reference-model.ts';
import { collapsedKeys, foldedKeysOfTransforms, isIdle, isSelected } from './scoped-stacks.ts';

/** A frame of a sample. */
interface LineFrame {
  readonly key: string;
  readonly file: string;
  /** 0 if there is none. */
  readonly line: number;
}

/**
 * The lines of a method in a scope, counted sample by sample from the definitions: `file:line` -> self and total samples,
 * and their ns; `file:*` is the whole file.
 */
export function scopedLines(
  model: Model,
  scope: Scope,
  method: string,
  threadName: (id: bigint) => string,
): ReadonlyMap<string, string> {
  const sums = new Map<string, [self: number, total: number, selfNs: bigint, totalNs: bigint]>();
  const sumOf = (place: string): [number, number, bigint, bigint] => {
    const sum = sums.get(place) ?? [0, 0, 0n, 0n];
    sums.set(place, sum);
    return sum;
  };
  const foldedKeys = foldedKeysOfTransforms(model, scope.transforms, 'fqmn');
  for (const { thread, stack, ns } of model.samples) {
    if (!isSelected(scope, threadName(thread))) continue;
    let frames: readonly LineFrame[] | undefined = stack.map((frame) => ({
      key: modelKey(model, frame, 'fqmn'),
      file: model.methods.get(frame.method)?.file ?? '',
      line: Math.max(0, frame.line),
    }));
    for (const [at, transform] of scope.transforms.entries())
      frames = frames && transformed(frames, transform, foldedKeys[at]);
    if (frames === undefined) continue;
    const placesOf = ({ key, file, line }: LineFrame): string[] =>
      key === method ? [`${file}:${line}`, `${file}:*`] : [];
    for (const place of new Set(frames.flatMap(placesOf))) {
      const sum = sumOf(place);
      sum[1]++;
      sum[3] += ns;
    }
    const leaf = frames.at(-1);
    for (const place of leaf === undefined ? [] : placesOf(leaf)) {
      const sum = sumOf(place);
      sum[0]++;
      sum[2] += ns;
    }
  }
  return new Map(
    Array.from(sums, ([place, [self, total, selfNs, totalNs]]) => [
      place,
      `${self} ${total} ${Number(selfNs)} ${Number(totalNs)}`,
    ]),
  );
}

function transformed(
  frames: readonly LineFrame[],
  transform: Transform,
  foldedKeys: ReadonlyMap<string, string>,
): readonly LineFrame[] | undefined {
  switch (transform.kind) {
    case 'keep':
      return frames.some(({ key }) => key === transform.key) ? frames : undefined;
    case 'drop':
      return frames.some(({ key }) => key === transform.key) ? undefined : frames;
    case 'leave-out':
      return isIdle(frames.map(({ key }) => key)) ? undefined : frames;
    case 'focus': {
      const at = frames.findIndex(({ key }) => key === transform.key);
      return at < 0 ? undefined : frames.slice(at);
    }
    case 'merge':
      return frames.filter(({ key }) => key !== transform.key);
    case 'only':
      return frames.filter(({ key }) => transform.prefixes.some((prefix) => key.startsWith(prefix)));
    case 'collapse':
    case 'collapse-class': {
      const isCollapsed = collapsedKeys(transform);
      const made = transform.kind === 'collapse' ? `${transform.prefix}*` : `${transform.className}.*`;
      const belongs = (frame: LineFrame | undefined): boolean =>
        frame !== undefined && isCollapsed(frame.key);
      return frames
        .filter((frame, at) => !belongs(frame) || !belongs(frames[at - 1]))
        .map((frame) => (belongs(frame) ? { key: made, file: '', line: 0 } : frame));
    }
    case 'collapse-recursion':
      if (transform.of === 'direct') return frames.filter(({ key }, at) => key !== frames[at + 1]?.key);
      return jumped(frames);
    case 'fold':
      return frames.map((frame) => ({ ...frame, key: foldedKeys.get(frame.key) ?? frame.key }));
  }
}

/** A frame that occurs again deeper jumps to its last occurrence. */
function jumped(frames: readonly LineFrame[]): LineFrame[] {
  const left: LineFrame[] = [];
  for (let at = 0; at < frames.length; at++) {
    const { key } = frames[at];
    at = frames.findLastIndex((frame) => frame.key === key);
    left.push(frames[at]);
  }
  return left;
}
