import axe from 'axe-core';
import type { LogWindow } from './window.ts';

/** Rules that axe finds broken, with the first element each. */
export async function objections({ page }: LogWindow): Promise<string[]> {
  // The page's content security policy forbids inline scripts, so axe is injected through the debugger.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
  });
  return found;
}
