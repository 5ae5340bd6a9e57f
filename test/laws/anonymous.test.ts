import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import { exportOf } from '../../shared/export/export-view.ts';
import { type LogFacts, NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import { SMALL_TEMPLATE } from '../support/small-page.ts';
import { stackCells } from '../support/stack-cells.ts';
import { testSeed } from '../support/test-seed.ts';
import { writeExport } from '../support/write-export.ts';

const { randomFor } = testSeed('anonymous');

/** Whatever names the program has in it, below a prefix or around it. */
const FORMS: readonly ((name: string) => string)[] = [
  (name) => `com.acme.${name}`,
  (name) => `com.acme.shop.${name}$Inner$$Lambda$12/0x00007f`,
  (name) => `com/acme/shop/${name}[]`,
  (name) => `[Lcom.acme.${name};`,
  (name) => `java.lang.invoke.Invoker<com.acme.${name}>`,
  (name) => `jdk.proxy (com/acme/${name}, int)`,
];

function secretFacts(): LogFacts {
  const series = { kind: 'number' as const, first: '0', at: [0, 1], values: [1, 2] };
  return {
    ...NO_LOG_FACTS,
    formatName: 'test',
    hasSampleTimes: true,
    spanNs: 1e9,
    lastTime: '1000',
    units: {
      counted: { one: 'secret event', many: 'secret events' },
      value: { name: 'Secret time', unit: 'ns', meaning: 'Of the secret.' },
    },
    notes: ['Secret was not read.', 'In /srv/secret/app.jfr'],
    tables: [{ title: 'Secret', columns: [], rows: [], leftOut: 0 }],
    choices: [{ kind: 'switch', id: 'cut', name: 'Secret', hint: 'Secret', chosen: false } as never],
    losses: [{ kind: 'failed', amount: '1 sample', why: 'Secret.', advice: undefined }],
    errorThreads: { '-1': [{ thread: 'secret', samples: 1 }] },
    series: [
      { ...series, id: 'gc-pause', kind: 'pauses', log: 'secret.jfr' },
      { ...series, id: 'com.acme.SecretEvent.count', name: 'Secrets: Count' },
      { ...series, id: 'secret.Event.count', name: 'Secrets: Count', log: '/srv/secret/app.jfr' },
    ],
  };
}

test('no name of the program is in an anonymous file: not in its bytes unpacked, not in what is drawn', () => {
  for (let run = 0; run < 60; run++) {
    const random = randomFor(run);
    const aggregator = new ProfileAggregator({ samples: true });
    const methods = Array.from({ length: 8 }, (_, at) => {
      const name = random.pick(FORMS)(`Secret${at}`);
      // A method of a class that is not below the prefix keeps its name.
      const method = name.startsWith('com') ? `secret${at}` : 'call';
      const isInMethod = random.below(4) === 0;
      aggregator.defineMethod(aggregator.method(0, at + 1), {
        file: random.pick(['', `com/acme/Secret${at}.java`, `com.acme.Secret${at}`]),
        className: isInMethod ? '' : name,
        methodName: isInMethod ? `${name}.${method}` : method,
      });
      return at + 1;
    });
    aggregator.defineMethod(aggregator.method(0, 99), {
      file: 'Thread.java',
      className: 'java.lang.Thread',
      methodName: 'run',
    });
    for (let at = 0; at < 30; at++) {
      const thread = aggregator.thread(0, random.below(3));
      aggregator.nameThread(thread, random.pick(['main', 'com.acme-secret-1', 'pool of com.acme.Secret7']));
      const frames = Array.from({ length: 1 + random.below(5) }, () => [0, random.pick(methods), -100, -1]);
      aggregator.samples(
        thread,
        stackCells(...([...frames, [0, 99, -100, -1]] as never[])),
        frames.length + 1,
        1,
        5,
      );
    }
    const { selfValues, samples } = aggregator.profile;
    for (let row = 0; row < selfValues.length; row++) samples!.append(row * 1e6, row, 1);
    const engine = new Engine();
    engine.add('log', aggregator.profile);
    const format = random.pick(['html', 'svg'] as const);
    const name = '/srv/secret/secret.jfr';
    const { input } = exportOf({ engine, log: 'log', query: INITIAL_QUERY }, format, {
      title: name,
      name,
      units: secretFacts().units,
      facts: secretFacts(),
      threads: 'name',
      order: { by: 'selfCount', descending: true },
      drawing: { theme: 'light', colourBy: 'package', orientation: 'flame', root: undefined },
      page: {
        options: {
          include: random.pick(['scope', 'all']),
          anonymous: ['com.acme'],
          note: '',
          threads: random.below(2) === 0,
          times: random.below(2) === 0,
        },
        template: SMALL_TEMPLATE,
        madeBy: '0.0.0',
        preferences: '{}',
        most: Infinity,
        views: { whole: 'log=secret.jfr', part: 'keep=com.acme.Secret1' },
      },
    });
    const pieces: string[] = [];
    writeExport(format, input, (piece) => pieces.push(String(piece)));
    const text = pieces.join('');
    const [, packed] = /leanscope-profile"[^>]*>([A-Za-z0-9+/=]+)</.exec(text)!;
    const bytes = inflateSync(Buffer.from(packed, 'base64'));
    for (const [place, shown] of [
      // The profile in base64 is looked at unpacked: in its letters a short name comes up by chance.
      ['file', text.replace(packed, '')],
      ['bytes', bytes.toString('latin1')],
      ['wide bytes', bytes.toString('utf16le')],
      ['wide bytes', bytes.subarray(1).toString('utf16le')],
    ]) {
      const at = shown.search(/secret|acme/i);
      expect([run, format, place, at < 0 ? '' : shown.slice(Math.max(0, at - 40), at + 40)]).toEqual([
        run,
        format,
        place,
        '',
      ]);
    }
    // What is no name of the program stays.
    expect(bytes.toString('latin1')).toContain('java.lang.Thread');
  }
});
