import type { MemoryBudget } from '../../../aggregate/memory-budget.ts';
import { SliceInterner } from '../../../read/slice-interner.ts';
import { decodeModifiedUtf8 } from '../../../text/modified-utf8.ts';
import type { SampleSink } from '../../../aggregate/sample-sink.ts';

/** Decoded texts by their bytes: every chunk repeats the same names, and decoding one takes a microsecond. */
export class KnownTexts {
  readonly #bytes: SliceInterner;
  readonly #texts: string[] = [];
  readonly #dotted = new Map<string, string>();

  constructor(memory: MemoryBudget) {
    this.#bytes = new SliceInterner(memory);
  }

  /** The text of bytes[from … to), which are modified UTF-8. */
  of(bytes: Uint8Array, from: number, to: number): string {
    const number = this.#bytes.intern(bytes, from, to);
    // The number of a text that was refused, too.
    if (number === 0 && !this.#bytes.equals(0, bytes, from, to)) return decodeModifiedUtf8(bytes, from, to);
    return (this.#texts[number] ??= decodeModifiedUtf8(bytes, from, to));
  }

  /** See `dottedClass`. */
  dottedClass(name: string): string {
    let dotted = this.#dotted.get(name);
    if (dotted === undefined) this.#dotted.set(name, (dotted = dottedClass(name)));
    return dotted;
  }
}

const PRIMITIVES: Readonly<Record<string, string | undefined>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
};

/**
 * A class name in Java's notation. The slash before the number of a hidden class also becomes a dot.
 *
 *   java/lang/String          java.lang.String
 *   [[I                       int[][]
 *   [Ljava/lang/String;       java.lang.String[]
 *   Shop$$Lambda$83+0x7f/12   Shop$$Lambda$83+0x7f.12
 */
function dottedClass(name: string): string {
  let dimensions = 0;
  while (dimensions < name.length && name[dimensions] === '[') dimensions++;
  if (dimensions === 0) return name.replaceAll('/', '.');
  const element = name.slice(dimensions);
  return elementName(element) + '[]'.repeat(dimensions);
}

function elementName(element: string): string {
  return (
    PRIMITIVES[element] ?? (/^L.*;$/.test(element) ? element.slice(1, -1) : element).replaceAll('/', '.')
  );
}

/** The types of the parameters of a method, without packages: `(I[Ljava/lang/String;)V` -> `int, String[]`. */
export function parametersOf(descriptor: string): string {
  const parameters = /^\((.*)\)/.exec(descriptor)?.[1] ?? '';
  const types = parameters.match(/\[*(?:L[^;]*;|[BCDFIJSZ])/g) ?? [];
  return types
    .map((type) => (type.startsWith('[') ? dottedClass(type) : elementName(type)).replace(/^.*\./, ''))
    .join(', ');
}

const LIBRARY = /\.(?:so(?:[.\d]+)?|dylib|dll)$|^\[(?:vdso|kernel|heap|stack)\]$/;

/**
 * Numbers the methods of all chunks by their names, because keys of constants are valid in one chunk only. Overloads
 * are different methods, so the descriptor counts as part of the name.
 */
export class MethodNumbers {
  readonly #sink: SampleSink;
  /** Class -> method -> descriptor -> number. Equal texts are the same string object, whose hash is known. */
  readonly #known = new Map<string, Map<string, Map<string, number>>>();
  #count = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  /** The number of a method. A new method is defined in the sink. */
  of(className: string, methodName: string, descriptor: string): number {
    let ofClass = this.#known.get(className);
    if (ofClass === undefined) this.#known.set(className, (ofClass = new Map<string, Map<string, number>>()));
    let ofName = ofClass.get(methodName);
    if (ofName === undefined) ofClass.set(methodName, (ofName = new Map<string, number>()));
    let number = ofName.get(descriptor);
    if (number === undefined) {
      number = this.#count++;
      ofName.set(descriptor, number);
      // async-profiler writes the library of a native function as its class; in its other formats it is left out.
      const names = LIBRARY.test(className) ? { file: className, className: '' } : { file: '', className };
      this.#sink.defineMethod(this.#sink.method(0, number), { ...names, methodName });
    }
    return number;
  }

  /** The number of a frame that is not a method, such as '(truncated)'. */
  ofPseudo(name: string): number {
    return this.of('', name, '');
  }
}
