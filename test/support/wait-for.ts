/** Resolves when the condition holds; asks again at every turn of the event loop. Fails after ten seconds, or as many. */
export async function waitFor(condition: () => boolean, what: string, seconds = 10): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
