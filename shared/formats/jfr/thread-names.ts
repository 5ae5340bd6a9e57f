import { Int64Index } from '../../aggregate/int64-index.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import type { ChunkConstants, RecordedThread } from './chunk-constants.ts';

/**
 * The threads of a recording and their names. A thread that was renamed has one name: that of the last chunk that lists it,
 * whether it has samples there or not. So the name is the same for each sample type.
 */
export class ThreadNames {
  readonly #sink: Pick<SampleSink, 'thread' | 'nameThread'>;
  readonly #renamed: (from: string, to: string, isLast: boolean) => void;
  readonly #ids = new Int64Index();
  /** By index of #ids: the thread of the profile, and its name; empty for none. */
  readonly #threads: number[] = [];
  readonly #names: string[] = [];

  /** `renamed`: a thread has another name from now on. `isLast`: no other thread has the former one. */
  constructor(
    sink: Pick<SampleSink, 'thread' | 'nameThread'>,
    renamed: (from: string, to: string, isLast: boolean) => void,
  ) {
    this.#sink = sink;
    this.#renamed = renamed;
  }

  /** The thread of the profile, which is added if necessary. */
  of({ idHi, idLo, name = '' }: RecordedThread): number {
    let row = this.#ids.find(idHi, idLo);
    if (row < 0) {
      row = this.#ids.add(idHi, idLo);
      this.#threads.push(this.#sink.thread(idHi, idLo));
      this.#names.push('');
      // A thread without a name is known by its id still.
      this.#sink.nameThread(this.#threads[row], '');
    }
    this.#name(row, name);
    return this.#threads[row];
  }

  /** Takes the names of all threads that a chunk lists. */
  update(constants: ChunkConstants): void {
    if (this.#threads.length === 0) return;
    constants.eachThread(
      (hi, lo) => this.#ids.find(hi, lo) >= 0,
      ({ idHi, idLo, name = '' }) => this.#name(this.#ids.find(idHi, idLo), name),
    );
  }

  #name(row: number, name: string): void {
    const former = this.#names[row];
    if (name === '' || name === former) return;
    this.#names[row] = name;
    this.#sink.nameThread(this.#threads[row], name);
    if (former !== '') this.#renamed(former, name, !this.#names.includes(former));
  }
}
