import { assert } from '../../shared/assert.ts';
import { encodeDelta } from '../../shared/delta/delta-codec.ts';
import { makeDelta } from '../../shared/delta/make-delta.ts';
import { NOTHING } from '../../shared/delta/profile-delta.ts';
import { DELTA_PREFIX } from '../../shared/protocol/delta-message.ts';
import { MadeUpProgram } from '../../shared/aggregate/made-up-program.ts';
import { Mirror } from './mirror.ts';

/** More rounds change nothing any more; these take half a second, most of it to make the program up. */
const ROUNDS = 6;
const DELTAS = 8;
/** Some ten milliseconds: as long a log that comes may have to wait. */
const SAMPLES_PER_DELTA = 100;

/**
 * What a mirror's worker does while there is no log: shows a program that never was, for nobody. A worker compiles what
 * it runs, and a log of hundreds of megabytes is there before that is done for all that showing it takes. Ends between
 * two deltas when `mayGoOn` says no. Resolves to how many deltas were shown.
 */
export async function practise(breathe: () => Promise<void>, mayGoOn: () => boolean): Promise<number> {
  let shown = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const program = new MadeUpProgram(64);
    const { profile, journal } = program.aggregator;
    assert(journal !== undefined, 'the aggregator of a program that is followed keeps a journal');
    const mirror = new Mirror(() => undefined);
    look(mirror, true);
    let cursor = NOTHING;
    for (let turn = 0; turn < DELTAS; turn++) {
      await breathe();
      if (!mayGoOn()) return shown;
      for (let sample = 0; sample < SAMPLES_PER_DELTA; sample++) program.sample();
      const delta = makeDelta({ profile, journal }, round, cursor);
      cursor = delta.to;
      mirror.handle({ type: 'delta', message: encodeDelta(delta, DELTA_PREFIX) });
      shown++;
      // Now and then, as while a log is read; and nothing is left to a timer.
      if (turn % 2 === 1) mirror.handle({ type: 'settle', id: turn });
    }
    look(mirror, false);
  }
  return shown;
}

/** At what a window looks that was never changed. */
function look(mirror: Mirror, reading: boolean): void {
  mirror.handle({ type: 'reading', reading });
  mirror.handle({ type: 'view', frames: 'fqmn', metric: 'samples', search: '', hideErrors: false });
  mirror.handle({
    type: 'tree',
    active: true,
    threads: 'name',
    sort: { by: 'totalCount', descending: true },
    hold: false,
  });
  mirror.handle({ type: 'flat', active: true, sort: { by: 'selfCount', descending: true }, hold: false });
  mirror.handle({
    type: 'flame',
    active: true,
    request: {
      threads: 'all',
      zoom: undefined,
      width: 900,
      minPixels: 1,
      maxFrames: reading ? 300 : 2_000,
    },
  });
  mirror.handle({ type: 'treeWindow', from: 0, count: 30, turn: 1 });
  mirror.handle({ type: 'flatWindow', from: 0, count: 30, turn: 1 });
}
