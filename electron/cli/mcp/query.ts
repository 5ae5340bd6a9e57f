/** SQL of an assistant over the tables of a dataset. */
import { alignedLines } from '../../../shared/text/aligned-lines.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { Answer } from '../../../shared/answers/answer.ts';
import { openDuckDb } from '../../fleet/duckdb.ts';
import { type Cell, FleetError } from '../../fleet/fleet-engine.ts';
import { CommandError } from '../command-io.ts';

export const MOST_QUERIED_ROWS = 50;
/** Longer texts of a cell are cut. */
const MOST_CELL = 300;

interface QueryData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** There are more rows than these. */
  readonly hasMore: boolean;
}

/** The first rows of an answer. A query that takes longer than `budgetMs` is ended. Rejects with CommandError. */
export async function queryAnswer(
  dataset: string,
  sql: string,
  { limit, budgetMs }: { readonly limit: number; readonly budgetMs: number },
): Promise<Answer<QueryData>> {
  const time = { isCut: false };
  let timer: NodeJS.Timeout | undefined;
  try {
    const engine = await openDuckDb(dataset);
    timer = setTimeout(() => {
      time.isCut = true;
      engine.interrupt();
    }, budgetMs);
    try {
      const { columns, batches } = await engine.query(sql);
      const rows: QueryData['rows'][number][] = [];
      for await (const batch of batches) {
        const length = batch.at(0)?.length ?? 0;
        for (let row = 0; row < length && rows.length <= limit; row++)
          rows.push(batch.map((column) => shown(column[row])));
        if (rows.length > limit) break;
      }
      const data = { columns, rows: rows.slice(0, limit), hasMore: rows.length > limit };
      return { data, text: tableText(data) };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (time.isCut)
      throw new CommandError(
        `the query was cut after ${budgetMs / 1000} s: nothing was answered; ask for fewer partitions (WHERE service = …), or aggregate`,
      );
    throw error instanceof FleetError
      ? new CommandError(
          `${error.message}; the views are samples, stacks and frames, DESCRIBE samples lists columns`,
        )
      : error;
  } finally {
    clearTimeout(timer);
  }
}

function shown(cell: Cell): string | number | boolean | null {
  if (typeof cell === 'bigint') return cell.toString();
  if (cell === null || typeof cell !== 'object')
    return typeof cell === 'string' ? cell.slice(0, MOST_CELL) : cell;
  return JSON.stringify(cell, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  ).slice(0, MOST_CELL);
}

function tableText({ columns, rows, hasMore }: QueryData): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell ?? ''))));
  const lines = [
    ...alignedLines([columns.map(printable), ...cells]),
    hasMore
      ? `… more rows than these ${rows.length}: aggregate, or use LIMIT and OFFSET`
      : `${rows.length} rows`,
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
