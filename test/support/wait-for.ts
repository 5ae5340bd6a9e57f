/** Also while a test has replaced it. */
const { setTimeout: later } = globalThis;

/**
 * Resolves when the condition holds; asks again 5 ms after each answer. Fails after 45 seconds, or as many: a busy
 * machine is no reason to fail.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  what: string,
  seconds = 45,
): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => later(resolve, 5));
  }
}
