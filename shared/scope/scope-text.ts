import type { Transform } from './scope.ts';

/** A transform in a few words, for a chip. */
export function transformText(transform: Transform): string {
  switch (transform.kind) {
    case 'keep':
      return `with ${transform.key}`;
    case 'drop':
      return `without ${transform.key}`;
    case 'focus':
      return `below ${transform.key}`;
    case 'merge':
      return `merged ${transform.key}`;
    case 'only':
      return `only ${transform.prefixes.map((prefix) => `${prefix}*`).join(', ')}`;
    case 'collapse':
      return `collapsed ${transform.prefix}*`;
    case 'collapse-class':
      return `collapsed class ${transform.className}`;
    case 'collapse-recursion':
      return transform.of === 'all' ? 'collapsed recursion' : 'collapsed direct recursion';
    case 'fold':
      return `stable names: ${transform.names.join(', ')}`;
  }
}

/** What a transform does, as a sentence. */
export function transformHelp(transform: Transform): string {
  switch (transform.kind) {
    case 'keep':
      return 'Only samples with this frame on their stack';
    case 'drop':
      return 'Only samples without this frame on their stack';
    case 'focus':
      return 'Only samples with this frame, and stacks begin at its outermost call';
    case 'merge':
      return 'Its frames are left out; what they called belongs to their callers';
    case 'only':
      return 'All other frames are left out; their samples belong to their callers';
    case 'collapse':
      return 'Adjacent frames whose names begin with this are one frame';
    case 'collapse-class':
      return 'Adjacent frames of this class and of classes nested in it are one frame';
    case 'collapse-recursion':
      return transform.of === 'all'
        ? 'A frame that occurs again deeper jumps to its last occurrence; what was between is left out'
        : 'Of adjacent frames of the same name the innermost stays';
    case 'fold':
      return 'Addresses and numbers in machine-made names are left out';
  }
}
