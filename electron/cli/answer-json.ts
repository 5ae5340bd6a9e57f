import { printableJson } from '../../shared/text/printable.ts';

/** Commands whose JSON has a schema: see json-schemas.ts. */
export type JsonCommand = 'top' | 'tree' | 'method' | 'timeline' | 'compare';

/** A line of JSON: its schema and version, the file that was asked, and the answer. */
export function answerJson(command: JsonCommand, file: string, data: object): string {
  return `${printableJson({ schema: `leanscope-${command}`, version: 1, file, ...data })}\n`;
}
