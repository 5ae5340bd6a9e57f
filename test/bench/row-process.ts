/**
 * One row in a process of its own: memory and compiled code of earlier rows must not affect the figures, and a row that
 * runs out of memory must not end the bench.
 */
import type { Outcome, RowRequest } from './measured-row.ts';
import { benchOf } from './bench-of.ts';
import { rowsFor } from './rows/all.ts';

process.once('message', (request: RowRequest) => {
  void measure(request).then((outcome) =>
    // Open handles of the row must not keep the process alive.
    process.send?.(outcome, () => process.exit()),
  );
});

async function measure({ id, short, folder, file }: RowRequest): Promise<Outcome> {
  try {
    const row = rowsFor(file).find((each) => each.id === id);
    if (row === undefined) throw new Error(`there is no row ${id}`);
    return { figures: await row.measure(benchOf(folder, short)) };
  } catch (error) {
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
