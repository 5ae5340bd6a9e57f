/** The message of what was thrown, which may be no Error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
