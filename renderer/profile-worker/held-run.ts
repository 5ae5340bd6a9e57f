/**
 * Deltas of another run of the writer, held back while the view is frozen: the file was truncated or replaced, and the
 * samples on screen must not go. They are not acknowledged, so the host sends no more of them than it may.
 */
export class HeldRun {
  #deltas: ArrayBuffer[] = [];

  /**
   * Holds a delta back, or says false: it is to be applied. `holds`: the run on screen must stay there. `startsOver`: the
   * delta has all from the beginning, of that run or of another. What was held before such a delta is part of it.
   */
  take(message: ArrayBuffer, holds: boolean, startsOver: 'same run' | 'another run' | undefined): boolean {
    if (startsOver !== undefined) this.#deltas = [];
    if (startsOver === 'same run') return false;
    if (this.#deltas.length === 0 && !(holds && startsOver === 'another run')) return false;
    this.#deltas.push(message);
    return true;
  }

  /** What was held, in its order. Nothing is held any more. */
  release(): readonly ArrayBuffer[] {
    return this.#deltas.splice(0);
  }
}
