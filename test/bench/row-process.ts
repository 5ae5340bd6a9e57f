/**
 * One row in a process of its own: what an earlier row left in memory, and what its calls taught the compiler, must
 * not be part of the figures, and a row that runs out of memory must not take the table with it.
 */
import type { Outcome, RowRequest } from './measured-row.ts';
import { benchOf } from './bench-of.ts';
import { rowsFor } from './rows/all.ts';

process.once('message', (request: RowRequest) => {
  void measure(request).then((outcome) =>
    // Whatever the row left open does not keep the process.
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
