import { CPUPROFILE } from '../../shared/formats/cpuprofile.ts';
import { FIREFOX } from '../../shared/formats/firefox/format.ts';
import { SPEEDSCOPE } from '../../shared/formats/speedscope.ts';
import { firefoxFile, type MadeThread } from '../support/firefox-file.ts';
import { testFormatLaws } from '../support/format-laws.ts';

const $schema = 'https://www.speedscope.app/file-format-schema.json';
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

testFormatLaws({
  format: SPEEDSCOPE,
  small: [
    json({
      $schema,
      shared: { frames: [{ name: 'shop/Shop.main', file: 'Shop.java', line: 3 }, { name: 'parse' }] },
      profiles: [
        { type: 'sampled', name: 'main', unit: 'none', samples: [[0, 1], [0], []], weights: [2, 0.5, 1] },
        { type: 'sampled', name: 'gc', unit: 'none', samples: [[1]], weights: [5] },
      ],
    }),
    json({
      $schema,
      shared: { frames: [{ name: 'a' }, { name: 'b', line: 7 }] },
      profiles: [
        {
          type: 'evented',
          unit: 'milliseconds',
          events: [
            { type: 'O', frame: 0, at: 1 },
            { type: 'O', frame: 1, at: 2.5 },
            { type: 'C', frame: 1, at: 4 },
            { type: 'C', frame: 0, at: 9 },
          ],
        },
      ],
    }),
  ],
  chosen: [{}, { profile: '2' }],
});

const frame = (functionName: string, lineNumber: number): unknown => ({
  functionName,
  url: 'a.js',
  lineNumber,
});

testFormatLaws({
  format: CPUPROFILE,
  small: [
    json({
      nodes: [
        { id: 1, callFrame: frame('(root)', -1), children: [2, 3] },
        { id: 2, callFrame: frame('main', 0), hitCount: 2 },
        { id: 3, callFrame: frame('(idle)', -1) },
      ],
      startTime: 100,
      endTime: 190,
      samples: [2, 3, 2],
      timeDeltas: [10, 20, 30],
    }),
    json({
      head: {
        functionName: '(root)',
        id: 1,
        children: [{ functionName: '', id: 2, hitCount: 3, lineNumber: 4 }],
      },
      timestamps: [5, 6, 9],
      samples: [2, 2, 1],
    }),
  ],
});

const thread: MadeThread = {
  name: 'main',
  tid: 5,
  pid: 7,
  samples: [
    {
      stack: [{ name: 'main', file: 'a.rs', line: 3, category: 2 }, { name: 'parse' }],
      ms: 0.5,
      weight: 2,
      cpu: 9,
    },
    { stack: [{ name: 'main', file: 'a.rs', line: 3, category: 2 }], ms: 1.5, weight: 1, cpu: 700 },
    { stack: undefined, ms: 2, weight: 1, cpu: null },
  ],
};
const bytes = [{ stack: [{ name: 'main' }], ms: 1, weight: 64 }];

testFormatLaws({
  format: FIREFOX,
  small: [
    json(firefoxFile([thread], 28)),
    json(firefoxFile([{ ...thread, jsAllocations: bytes }], 58)),
    json(firefoxFile([thread, { ...thread, tid: 6, pid: 8 }], 60)),
    json(firefoxFile([{ ...thread, nativeAllocations: bytes }], 99)),
  ],
  chosen: [{}, { 'sample-type': 'cpu' }, { 'sample-type': 'js-allocations' }, { category: 'JavaScript' }],
});
