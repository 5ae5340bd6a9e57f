/** Words before a parenthesis that are no declaration: `return m(`, `new Shop(`. */
const NOT_DECLARED =
  /\b(?:return|new|throw|else|assert|case|yield|await)\s+[\w$.<>]+\s*\(|[=.(]\s*[\w$]+\s*\(/;
/** `  public V put(K key, V value) {`, `    HashMap(int initialCapacity) {`: the name before the parenthesis. */
const DECLARATION =
  /^\s*(?:@[\w$.]+(?:\([^)]*\))?\s+)*(?:[\w$<>[\],.?&]+\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*$/u;
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'synchronized', 'try', 'super', 'this']);
/** Lines above a line in which the declaration of its method is looked for. */
const MOST_ABOVE = 400;

/**
 * How many of these lines are in a method of this name in a Java source: the sources of another version have the method
 * elsewhere. It goes by the nearest declaration above each line, and does not parse. `method`: as in a class file.
 */
export function fittingLines(
  text: string,
  { className, method, lines }: { className: string; method: string; lines: readonly number[] },
): number {
  const source = text.split(/\r\n|\n|\r/);
  const names = declaredNames(className, method);
  return lines.filter((line) => {
    if (line > source.length || /^\s*(?:\*|\/[/*]|$)/.test(source[line - 1])) return false;
    for (let at = line - 1; at >= Math.max(0, line - 1 - MOST_ABOVE); at--) {
      const declared = NOT_DECLARED.test(source[at]) ? undefined : DECLARATION.exec(source[at])?.[1];
      if (declared !== undefined && !CONTROL.has(declared)) return names.has(declared);
    }
    return false;
  }).length;
}

/** `parse` for `parse` and `lambda$parse$0`, the simple name of the class for a constructor. */
function declaredNames(className: string, method: string): ReadonlySet<string> {
  const simple = className.split(/[./$]/).filter((part) => /^\D/.test(part));
  if (method === '<init>') return new Set(simple.slice(-1));
  return new Set([/^lambda\$(.+)\$\d+$/.exec(method)?.[1] ?? method]);
}
