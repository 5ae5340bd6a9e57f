import { printableJson } from '../../shared/text/printable.ts';

/** Commands whose JSON has a schema: see json-schemas.ts. */
export type JsonCommand =
  | 'top'
  | 'tree'
  | 'method'
  | 'timeline'
  | 'compare'
  | 'findings'
  | 'summary'
  | 'jvms'
  | 'agent';

/** A line of JSON: the answer, with its schema and version. */
export function answerJson(command: JsonCommand, data: object): string {
  return `${printableJson({ schema: `leanscope-${command}`, version: 1, ...data })}\n`;
}
