/** The names in a layout: `time:long name:text` has `time` and `name`. */
export type FieldName<Layout extends string> = Layout extends `${infer First} ${infer Rest}`
  ? FieldName<First> | FieldName<Rest>
  : Layout extends `${infer Name}:${string}`
    ? Name
    : never;

/** The fields of a record or message, in the order in which they are stored. */
export interface Fields<Name extends string, Type extends string> {
  readonly fields: readonly { readonly name: Name; readonly type: Type }[];
  /** Name -> index in `fields`. */
  readonly at: Readonly<Record<Name, number>>;
}

/** Reads a layout, `name:type` separated by spaces. */
export function fieldsOf<Type extends string, Layout extends string = string>(
  layout: Layout,
): Fields<FieldName<Layout>, Type> {
  const fields = layout.split(' ').map((field) => {
    const [name, type] = field.split(':');
    return { name: name as FieldName<Layout>, type: type as Type };
  });
  const at = Object.fromEntries(fields.map(({ name }, index) => [name, index]));
  return { fields, at: at as Record<FieldName<Layout>, number> };
}
