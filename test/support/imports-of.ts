import { parseSync } from 'vite';

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The expression that names a module: of `import`, `export … from`, `import()`, as a type too, and `require()`. */
function sourceOf(node: Node): unknown {
  if (node.type !== 'CallExpression') return node.source;
  const isRequire = isNode(node.callee) && node.callee.name === 'require';
  return isRequire ? (node.arguments as unknown[])[0] : undefined;
}

/** The modules that a file names, in whatever way; not what its comments and texts say. */
export function importsOf(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  for (const { message } of errors) throw new Error(`${path}: ${message}`);
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const source = sourceOf(value);
    if (isNode(source) && typeof source.value === 'string') names.push(source.value);
    Object.values(value).forEach(visit);
  };
  visit(program);
  return names;
}
