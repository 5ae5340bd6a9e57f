import { grown } from '../../profile/columns.ts';

/**
 * When each sample of a chunk was taken, in the order of the chunk; 20 bytes per sample.
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
  /** Row of the group that counts the sample: see `SampleGroups`. */
  group = new Int32Array(1024);
  /** In the unit of the events. */
  value = new Float64Array(1024);

  add(ticks: number, group: number, value: number): void {
    const row = this.length;
    if (row === this.group.length) this.reserve(row + 1);
    this.length++;
    this.at[row] = ticks;
    this.group[row] = group;
    this.value[row] = value;
  }

  /** Makes room for so many rows. */
  reserve(rows: number): void {
    if (rows <= this.group.length) return;
    const capacity = Math.max(rows, 2 * this.group.length);
    this.at = grown(this.at, capacity);
    this.group = grown(this.group, capacity);
    this.value = grown(this.value, capacity);
  }
}
