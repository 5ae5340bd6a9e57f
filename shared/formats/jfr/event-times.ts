import { grown } from '../../profile/columns.ts';

/**
 * When each sample of a chunk was taken, in the order of the chunk; 20 bytes per sample. An event may stand for several
 * samples: `count`, four bytes more.
 *
 *   row   at      group   value
 *   0     5120    0       0
 *   1     5391    1       0
 *   2     5660    0       0
 */
export class EventTimes {
  length = 0;
  /** In ticks of the chunk's clock; `SampleWriter` replaces them by ns after the start of the chunk. */
  at = new Float64Array(1024);
  /** What counts the sample: a cell of SampleCounts, or the complement of a group of SampleGroups. */
  group = new Int32Array(1024);
  /** In the unit of the events. */
  value = new Float64Array(1024);
  /** How many samples the event stands for; undefined: one each. */
  count: Int32Array<ArrayBuffer> | undefined;

  add(ticks: number, group: number, value: number, count: number): void {
    const row = this.length;
    if (row === this.group.length) this.reserve(row + 1);
    this.length++;
    if (count !== 1) this.count ??= new Int32Array(this.group.length).fill(1, 0, row);
    if (this.count !== undefined) this.count[row] = count;
    this.at[row] = ticks;
    this.group[row] = group;
    this.value[row] = value;
  }

  /** Reserves capacity for so many rows. */
  reserve(rows: number): void {
    if (rows <= this.group.length) return;
    const capacity = Math.max(rows, 2 * this.group.length);
    this.at = grown(this.at, capacity);
    this.group = grown(this.group, capacity);
    this.value = grown(this.value, capacity);
    if (this.count !== undefined) this.count = grown(this.count, capacity);
  }

  /** Rows of cells have `bits + 1` bits now: gives the samples the new numbers of their cells. */
  widenCells(bits: number): void {
    const { group } = this;
    const mask = (1 << bits) - 1;
    for (let row = 0; row < this.length; row++) {
      const cell = group[row];
      if (cell >= 0) group[row] = ((cell >> bits) << (bits + 1)) | (cell & mask);
    }
  }

  /** Numbers the groups after `cells` cells. */
  numberGroups(cells: number): void {
    const { group } = this;
    for (let row = 0; row < this.length; row++) if (group[row] < 0) group[row] = cells + ~group[row];
  }

  clear(): void {
    this.length = 0;
    this.count = undefined;
  }

  /**
   * The same with a row for each sample: those of one event follow each other every `period` ticks from its start on, and
   * share its value. Samples of an event that stands for several are left out if `allows` does not let them through;
   * `rows`: what the table has without them, with the samples of all events that stand for one.
   */
  repeated(period: number, allows: (count: number, rows: number) => boolean): EventTimes {
    const { count } = this;
    if (count === undefined) return this;
    let rows = 0;
    for (let row = 0; row < this.length; row++) if (count[row] === 1) rows++;
    for (let row = 0; row < this.length; row++) {
      if (count[row] === 1) continue;
      if (!allows(count[row], rows)) count[row] = 0;
      rows += count[row];
    }
    const all = new EventTimes();
    all.reserve(rows);
    for (let row = 0; row < this.length; row++) {
      let given = 0;
      for (let sample = 0; sample < count[row]; sample++) {
        const until = Math.round((this.value[row] * (sample + 1)) / count[row]);
        all.add(this.at[row] + sample * period, this.group[row], until - given, 1);
        given = until;
      }
    }
    return all;
  }
}
