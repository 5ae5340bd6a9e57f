/** A name for messages: `-` is standard input. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path;
}
