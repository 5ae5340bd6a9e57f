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
export function dottedClass(name: string): string {
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
