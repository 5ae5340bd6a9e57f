import * as z from 'zod/mini';

// The content security policy forbids to compile schemas.
z.config({ jitless: true });

/** The value, or the default where there is none or an invalid one. */
export function fallingBack<Schema extends z.ZodMiniType>(
  schema: Schema,
  otherwise: z.output<Schema>,
): z.ZodMiniType<z.output<Schema>> {
  return z.catch(schema, () => otherwise);
}

/** The valid elements of a list, none of anything else. */
export function listOf<Schema extends z.ZodMiniType>(
  element: Schema,
  most = Infinity,
): z.ZodMiniType<readonly z.output<Schema>[]> {
  const valid = (value: unknown): readonly z.output<Schema>[] => {
    const read = element.safeParse(value);
    return read.success ? [read.data] : [];
  };
  return z.pipe(
    z.catch(z.array(z.unknown()), []),
    z.transform((values: unknown[]) => values.flatMap(valid).slice(0, most)),
  );
}

/** undefined: the text is missing, or no JSON. */
export function parsedJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
