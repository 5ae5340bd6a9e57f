import { expect, test } from 'vitest';
import { NONE } from '../../../shared/profile/columns.ts';
import { checkProfile } from '../../support/check-profile.ts';
import { anonymousNames } from '../../../shared/page/anonymous-names.ts';
import { copyOfPart } from '../../../shared/page/profile-part.ts';
import { leanOf } from '../../support/profile-tables.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { randomLog } from '../../support/random-log.ts';
import { readLog } from '../../support/read-log.ts';
import { testSeed } from '../../support/test-seed.ts';

const ALL = { threads: true };

test('a copy of all has the same numbers, and a copy of some samples only what they need', () => {
  const { randomFor } = testSeed('parts of profiles');
  for (let run = 0; run < 40; run++) {
    const random = randomFor(run);
    const { profile } = readLog(randomLog(random, { traces: 60, methods: 6 }), 1 << 20, { samples: true });
    const { selfValues, samples } = profile;
    const leaves = selfValues.node.slice(0, selfValues.length);
    const whole = copyOfPart(
      { profile, values: selfValues, timed: { samples: samples!, isWithin: () => true, leaves } },
      ALL,
    );
    expect(checkProfile(whole)).toEqual([]);
    expect(leanOf(whole)).toBe(leanOf(profile));
    expect(whole.samples?.length).toBe(samples!.length);

    // Every second node with samples.
    const isIn = (row: number): boolean => row % 2 === 0;
    const values = {
      length: selfValues.length,
      node: selfValues.node,
      count: selfValues.count.map((count, row) => (isIn(row) ? count : 0)),
      time: { ns: selfValues.time.ns.map((ns, row) => (isIn(row) ? ns : 0)), bigints: undefined },
    };
    const some = copyOfPart(
      {
        profile,
        values,
        timed: {
          samples: samples!,
          isWithin: () => true,
          leaves: leaves.map((node, row) => (isIn(row) ? node : NONE)),
        },
      },
      ALL,
    );
    expect(checkProfile(some)).toEqual([]);
    const sum = (counts: Float64Array, length: number): number =>
      counts.subarray(0, length).reduce((all, count) => all + count, 0);
    const { selfValues: copied } = some;
    expect(sum(copied.count, copied.length)).toBe(sum(values.count, values.length));
    const rows = samples!.self.subarray(0, samples!.length);
    expect(some.samples?.length).toBe(rows.filter(isIn).length);
    expect(some.nodes.length).toBeLessThanOrEqual(profile.nodes.length);
  }
});

test('without threads, equal paths are one', () => {
  const { profile } = profileFromText(`
    main       other      other
    Shop.main  Shop.main  Shop.main
    Cart.add   Cart.add   Cart.sum
  `);
  const copy = copyOfPart({ profile, values: profile.selfValues, timed: undefined }, { threads: false });
  expect(checkProfile(copy)).toEqual([]);
  expect(copy.threads.name).toEqual(['all threads']);
  expect(copy.nodes.length).toBe(4);
  expect([...copy.selfValues.count.subarray(0, copy.selfValues.length)]).toEqual([2, 1]);
  expect(copy.samples).toBe(undefined);
});

test('names below a prefix are replaced, equal ones by equal ones, and nothing else', () => {
  const { method, thread } = anonymousNames(['com.acme', 'org.secret.']);
  const named = (className: string, methodName: string): string => {
    const names = method({ file: 'Ranking.java', className, methodName });
    return `${names.file} ${names.className} ${names.methodName}`;
  };
  expect(named('com.acme.shop.Ranking', 'top')).toBe(' anonymous.p1.C1 m1');
  expect(named('com.acme.shop.Ranking', '<init>')).toBe(' anonymous.p1.C1 <init>');
  expect(named('com.acme.shop.Cart', 'top')).toBe(' anonymous.p1.C2 m1');
  expect(named('com/acme/Cart[]', '')).toBe(' anonymous.p2.C3[] ');
  expect(named('org.secret.A', 'b')).toBe(' anonymous.p3.C4 m2');
  expect(named('com.acmeshop.Cart', 'top')).toBe('Ranking.java com.acmeshop.Cart top');
  expect(named('', 'com.acme.Main.run')).toBe('  m3');
  expect(thread('com.acme-worker')).toBe('thread-1');
  expect(thread('main')).toBe('main');
});
