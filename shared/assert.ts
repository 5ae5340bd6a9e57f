/** Thrown for a bug in Leanscope. Damaged input is never an error but a `Damage` value. */
class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** `message` says why the condition must hold, not that it failed. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export function assertNever(value: never, what: string): never {
  throw new AssertionError(`${what}: unexpected ${String(value)}`);
}
