import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { ProfileDecoder } from '../../shared/formats/decoder.ts';
import { JfrDecoder } from '../../shared/formats/jfr/format.ts';
import { differingLines, foldedLines, methodText, stacksOf } from '../support/profile-stacks.ts';
import { readInput } from '../support/read-input.ts';
import { flushesOf, recordingAt } from '../support/recording-film.ts';

/** Stacks of all threads with their counts, whatever the order in which they were read. */
function linesOf(profile: LeanProfile): string[] {
  return foldedLines(stacksOf(profile), ({ thread, threadId, frames }) =>
    [`${thread} ${threadId}`, ...frames.map((each) => `${methodText(each)}:${each.line}@${each.bci}`)].join(';'),
  );
}

function eventsOf(decoder: ProfileDecoder): string[] {
  const rows = decoder.facts().tables.find(({ title }) => title === 'Events')?.rows ?? [];
  return rows.map(([event, count]) => `${event} ${count}`).sort();
}

describe.each(['jdk17', 'jdk25'])('the recording of %s as it grew', (jdk) => {
  const film = new Uint8Array(gunzipSync(readFileSync(`test/golden/jvm/${jdk}.film.gz`)));
  const flushes = flushesOf(film);

  test('has two chunks and several flushes', () => {
    expect(flushes.filter(({ isNewChunk }) => isNewChunk).length).toBe(2);
    expect(flushes.length).toBeGreaterThan(4);
  });

  test('counts of events are those of `jfr summary` of the finished recording', () => {
    const decoder = new JfrDecoder(new ProfileAggregator(), {});
    decoder.append(film);
    decoder.emitOpen(true);
    const expected = readFileSync(`test/golden/jvm/${jdk}.events.txt`, 'utf8').trimEnd().split('\n');
    // What a chunk consists of besides events is not counted as events.
    expect(eventsOf(decoder)).toEqual(expected.filter((line) => !/^jdk\.(?:Metadata|Check[Pp]oint) /.test(line)));
    expect(decoder.damage).toBeUndefined();
    expect(decoder.bytes).toEqual({ accepted: film.length, skipped: 0, pending: 0 });
  });

  test.each(['cpu', 'alloc', 'sleep', 'lock'])('%s: at each flush it equals the recording cut there', (type) => {
    const chosen = { 'sample-type': type, cut: 'off' };
    const aggregator = new ProfileAggregator();
    const decoder = new JfrDecoder(aggregator, chosen);
    let samples = 0;
    for (const [at, { header, bytes }] of flushes.entries()) {
      decoder.append(header);
      decoder.append(bytes);
      decoder.emitOpen(false);
      const cut = readInput(recordingAt(flushes.slice(0, at + 1)), chosen);
      expect(differingLines(linesOf(aggregator.profile), linesOf(cut.profile)), `flush ${at}`).toEqual([]);
      expect(eventsOf(decoder), `flush ${at}`).toEqual(eventsOf(cut.decoder));
      // A recording that pauses is still the same afterwards.
      decoder.emitOpen(true);
      expect(aggregator.sampleCount).toBeGreaterThanOrEqual(samples);
      samples = aggregator.sampleCount;
    }
    expect(samples).toBeGreaterThan(0);
  });

  test('a copy of a growing recording is read up to its last flush; the rest is pending', () => {
    const rest = new Uint8Array(1000).fill(0x41);
    for (const count of [1, 2, flushes.length - 1]) {
      const copy = recordingAt(flushes.slice(0, count));
      // As on the disk: the state of the last chunk says that it is being written.
      const chunkAt = recordingAt(flushes.slice(0, flushes.findLastIndex(({ isNewChunk }, at) => at < count && isNewChunk))).length;
      copy[chunkAt + 64] = 1;
      const whole = readInput(recordingAt(flushes.slice(0, count)));
      const { profile, decoder } = readInput(Buffer.concat([copy, rest]));
      expect(linesOf(profile)).toEqual(linesOf(whole.profile));
      expect(decoder.damage).toBeUndefined();
      expect(decoder.bytes).toEqual({ accepted: copy.length, skipped: 0, pending: rest.length });
    }
  });
});
