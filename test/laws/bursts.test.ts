import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TopData } from '../../shared/answers/schemas.ts';
import type { FindingsAnswer } from '../../shared/findings/finding.ts';
import { runCli } from '../support/run-cli.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';
import { timedStacks } from '../support/timed-stacks.ts';

const { seed, randomFor } = testSeed('bursts');
const TIMELINES = testSize(40, 600);

const MAIN = 'com.acme.Main.main';
/** Own methods that call each other and the JDK, stacks that are not known, and a recursion. */
const STACKS = [
  `${MAIN};com.acme.Report.run;java.util.HashMap.get`,
  `${MAIN};com.acme.Report.run;com.acme.Order.total`,
  `${MAIN};com.acme.Report.run;com.acme.Order.total;com.acme.Report.run`,
  `${MAIN};com.acme.Order.total;java.util.ArrayList.get`,
  `${MAIN};java.lang.Object.wait`,
  `${MAIN};com.acme.Shop.work`,
  'AGCT.UnknownJava5',
];

/** Stacks one after another, of which some come in a part of the time alone. */
function randomTimeline(random: SeededRandom): readonly string[] {
  const parts = Array.from({ length: 2 + random.below(5) }, () => ({
    samples: 40 + random.below(400),
    weights: STACKS.map(() => (random.below(3) === 0 ? random.below(20) : random.below(3))),
  }));
  return parts.flatMap(({ samples, weights }) => {
    const drawn = weights.flatMap((weight, at) => Array<string>(weight).fill(STACKS[at]));
    const stacks = drawn.length === 0 ? STACKS : drawn;
    return Array.from({ length: samples }, () => stacks[random.below(stacks.length)]);
  });
}

test(`a burst has the share that its time shows, of ${TIMELINES} timelines`, async () => {
  const path = join(temporaryFolder(), 'bursts.json');
  let bursts = 0;
  for (let scenario = 0; scenario < TIMELINES; scenario++) {
    const random = randomFor(scenario);
    const stacks = randomTimeline(random);
    const ms = 1 + random.below(1000) / 997;
    writeFileSync(path, timedStacks(stacks.map((stack) => `${stack} 1`).join('\n'), ms));
    const found = await runCli(['findings', path, '--json', '--checks', 'F31']);
    const { findings } = JSON.parse(found.stdout) as FindingsAnswer;
    for (const { subject, period, share, samples } of findings) {
      bursts++;
      const where = `SEED=${seed} scenario ${scenario} ${subject} ${period?.text}`;
      const [from, to] = [`${period?.from}ns`, `${period?.to}ns`];
      const top = await runCli(['top', path, '--json', '--by', 'total', '--from', from, '--to', to]);
      const { rows, whole } = JSON.parse(top.stdout) as TopData;
      const row = rows.find(({ key }) => key === subject);
      expect([row?.total, row!.total / whole.samples], where).toEqual([samples, share.value]);
      // By brute force over the stacks.
      const timed = stacks
        .map((stack, at) => ({ frames: stack.split(';'), ns: Math.round(at * ms * 1e6) }))
        .filter(({ frames: [first] }) => !first.startsWith('AGCT.'));
      const isIn = ({ ns }: { ns: number }): boolean => ns >= Number(period?.from) && ns < Number(period?.to);
      const has = ({ frames }: { frames: string[] }): boolean => frames.includes(subject!);
      const [then, else_] = [timed.filter(isIn), timed.filter((sample) => !isIn(sample))];
      expect([samples, whole.samples], where).toEqual([then.filter(has).length, then.length]);
      expect(period?.usual, where).toBe(else_.filter(has).length / else_.length);
    }
  }
  expect(bursts).toBeGreaterThan(TIMELINES / 4);
});
