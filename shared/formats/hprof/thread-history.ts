import { Int64Index } from '../../aggregate/int64-index.ts';
import { type FactTable, factTable } from '../../facts/format-facts.ts';

/** A thread as its events tell it. */
export interface HistoricThread {
  readonly idHi: number;
  readonly idLo: number;
  /** undefined: no event named it. */
  name: string | undefined;
  /** undefined: unknown or none. */
  group: string | undefined;
  parentGroup: string | undefined;
  /** Number of its start and end among all events, from 1; the files have no times for them. */
  started: number | undefined;
  ended: number | undefined;
  /** Known once the table of samples is. */
  samples: number;
}

const TWO_32 = 4_294_967_296;

/** Threads in the order in which they are met: by their events, or by a trace of theirs. */
export class ThreadHistory {
  readonly threads: HistoricThread[] = [];
  readonly #ids = new Int64Index();
  #events = 0;

  /** The row of a thread. */
  row(idHi: number, idLo: number): number {
    const known = this.#ids.find(idHi, idLo);
    if (known >= 0) return known;
    this.threads.push({
      idHi,
      idLo,
      name: undefined,
      group: undefined,
      parentGroup: undefined,
      started: undefined,
      ended: undefined,
      samples: 0,
    });
    return this.#ids.add(idHi, idLo);
  }

  start(row: number): void {
    const thread = this.threads[row];
    thread.started ??= ++this.#events;
    thread.ended = undefined;
  }

  describe(row: number, names: Pick<HistoricThread, 'name' | 'group' | 'parentGroup'>): void {
    Object.assign(this.threads[row], names);
  }

  end(row: number): void {
    this.threads[row].ended ??= ++this.#events;
  }

  /** A name for every thread: threads of agents that do not tell them apart have the id 0. */
  nameOf(row: number): string {
    const { name, idHi, idLo } = this.threads[row];
    if (name !== undefined) return name;
    return idHi === 0 && idLo === 0 ? '(threads not told apart)' : `thread ${threadNumber(idHi, idLo)}`;
  }

  table(): FactTable {
    return factTable(
      'Threads',
      [
        { name: 'Thread', kind: 'text' },
        { name: 'Id', kind: 'text' },
        { name: 'Group', kind: 'text' },
        { name: 'Parent group', kind: 'text' },
        { name: 'Started as event', kind: 'count' },
        { name: 'Ended as event', kind: 'count' },
        { name: 'Ended', kind: 'text' },
        { name: 'Samples', kind: 'count' },
      ],
      this.threads.map(({ idHi, idLo, group, parentGroup, started, ended, samples }, row) => [
        this.nameOf(row),
        String(threadNumber(idHi, idLo)),
        group,
        parentGroup,
        started,
        ended,
        ended === undefined ? 'no' : 'yes',
        samples,
      ]),
    );
  }
}

function threadNumber(idHi: number, idLo: number): number {
  return (idHi >>> 0) * TWO_32 + (idLo >>> 0);
}
