import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPerfData } from '../../electron/jvm/perf-data.ts';

for (const jdk of ['jdk17', 'jdk25'])
  test(`the texts of ${jdk} are those that jcmd prints`, () => {
    const data = readPerfData(gunzipSync(readFileSync(`test/golden/jvm/${jdk}.hsperfdata.gz`)));
    if (!(data instanceof Map)) throw new Error('not perf data');
    const expected = readFileSync(`test/golden/jvm/${jdk}.counters.txt`, 'utf8').trimEnd().split('\n');
    expect(expected.length).toBeGreaterThan(15);
    for (const line of expected) {
      const equals = line.indexOf('=');
      // The method that was compiled last changes between the two readings.
      if (line.startsWith('sun.ci.last')) continue;
      expect(`${line.slice(0, equals)}="${data.get(line.slice(0, equals))}"`).toBe(line);
    }
    expect(data.get('sun.rt.createVmBeginTime')).toBeGreaterThan(1.7e12);
  });
