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
  const dotted =
    PRIMITIVES[element] ?? (/^L.*;$/.test(element) ? element.slice(1, -1) : element).replaceAll('/', '.');
  return dotted + '[]'.repeat(dimensions);
}
