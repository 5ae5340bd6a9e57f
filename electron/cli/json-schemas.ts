/** The schemas of what commands print with --json. They are loaded only to be printed or tested. */
import { z } from 'zod';
import { COMPARE, METHOD, TIMELINE, TOP, TREE } from '../../shared/answers/schemas.ts';
import type { JsonCommand } from './answer-json.ts';

const DATA: Readonly<Record<JsonCommand, z.ZodObject>> = {
  top: TOP,
  tree: TREE,
  method: METHOD,
  timeline: TIMELINE,
  compare: COMPARE,
};

/** What a command prints: the answer, with its schema and version, and the file that was asked. */
export function jsonSchema(command: JsonCommand): z.ZodObject {
  return z.object({
    schema: z.literal(`leanscope-${command}`),
    version: z.literal(1),
    file: z.string(),
    ...DATA[command].shape,
  });
}

export const JSON_COMMANDS = Object.keys(DATA) as readonly JsonCommand[];
