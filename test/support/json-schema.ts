/** The keywords of JSON Schema (2020-12) that the schemas of this project use. Others are refused. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly $ref?: string;
}

const KEYWORDS = new Set(
  '$schema title $defs type const enum minimum pattern items required properties additionalProperties $ref'.split(
    ' ',
  ),
);

/** Checks a value against a schema. Returns a line for each violation: path, and what is expected. */
export function schemaViolations(schema: object, value: unknown): string[] {
  const defs = (schema as { readonly $defs?: Readonly<Record<string, Schema>> }).$defs ?? {};
  const found: string[] = [];
  const check = (rule: Schema, at: unknown, path: string): void => {
    for (const keyword of Object.keys(rule))
      if (!KEYWORDS.has(keyword)) found.push(`${path}: the checker does not know the keyword ${keyword}`);
    const report = (expected: string): void => void found.push(`${path}: ${expected}`);
    if (rule.$ref !== undefined) check(defs[rule.$ref.replace('#/$defs/', '')], at, path);
    const types = [rule.type ?? []].flat();
    if (types.length > 0 && !types.some((type) => hasType(at, type)))
      return report(`is no ${types.join(' or ')}`);
    if (rule.const !== undefined && at !== rule.const) report(`is not ${JSON.stringify(rule.const)}`);
    if (rule.enum?.includes(at) === false) report(`is none of ${JSON.stringify(rule.enum)}`);
    if (typeof at === 'number' && at < (rule.minimum ?? -Infinity)) report(`is below ${rule.minimum}`);
    if (typeof at === 'string' && rule.pattern !== undefined && !new RegExp(rule.pattern, 'u').test(at))
      report(`does not match ${rule.pattern}`);
    if (Array.isArray(at)) {
      if (rule.items !== undefined)
        for (const [index, each] of at.entries()) check(rule.items, each, `${path}[${index}]`);
    } else if (typeof at === 'object' && at !== null) {
      for (const name of rule.required ?? []) if (!Object.hasOwn(at, name)) report(`has no ${name}`);
      for (const [name, each] of Object.entries(at)) {
        const property = rule.properties?.[name] ?? rule.additionalProperties;
        if (property !== undefined) check(property, each, `${path}.${name}`);
      }
    }
  };
  check(schema, value, '$');
  return found;
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
