import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { type FrameCells, stackCells } from './stack-cells.ts';

/**
 * A profile drawn as text. A column is a sample, its first cell the thread, below it the frames, root first; cells are
 * two blanks or more apart. Each sample has 1 ms.
 *
 *   profileFromText(`
 *     main       main         gc
 *     Shop.main  Shop.main    AGCT.GcActiveErr2
 *     Cart.add   Cart.add:12
 *   `)
 *
 * `:12` is a line. A method has the same id wherever it appears. A frame written `?7` has id 7 and no definition yet.
 */
export function profileFromText(text: string): ProfileAggregator {
  const aggregator = new ProfileAggregator({ journal: true });
  addSamples(aggregator, text);
  return aggregator;
}

/** Adds the samples of a drawing to a profile that was drawn before. */
export function addSamples(aggregator: ProfileAggregator, text: string): void {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const starts = columnStarts(rows[0]);
  for (const [at, start] of starts.entries()) {
    const cells = rows.map((row) => row.slice(start, starts[at + 1]).trim()).filter((cell) => cell !== '');
    const [thread, ...stack] = cells;
    const threadIndex = aggregator.thread(0, idOf(thread));
    aggregator.nameThread(threadIndex, thread);
    aggregator.openThread(threadIndex);
    const frames = stack.map((cell) => frameOf(aggregator, cell)).reverse();
    aggregator.sample(threadIndex, stackCells(...frames), frames.length, 1_000_000);
  }
}

function columnStarts(row: string): number[] {
  return Array.from(row.matchAll(/(?<=^|\s\s)\S/g), ({ index }) => index);
}

function frameOf(aggregator: ProfileAggregator, cell: string): FrameCells {
  if (cell.startsWith('?')) return [0, Number(cell.slice(1)), -100, 0];
  const [position] = /:\d+$/.exec(cell) ?? [''];
  const name = cell.slice(0, cell.length - position.length);
  const dot = name.lastIndexOf('.');
  aggregator.defineMethod(aggregator.method(0, idOf(name)), {
    file: '',
    className: name.slice(0, Math.max(dot, 0)),
    methodName: name.slice(dot + 1),
  });
  return [0, idOf(name), position === '' ? -100 : Number(position.slice(1)), 0];
}

/** The same number for the same name, in every drawing. */
function idOf(name: string): number {
  let hash = 17;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return hash;
}
