import { describe, expect, test } from 'vitest';
import {
  aboutLines,
  hottestLine,
  hottestLineIn,
  hottestLines,
  mismatch,
  otherRelease,
  rankedBy,
  sampledLine,
} from '../../../renderer/panes/source/line-rows.ts';
import { sourceKey } from '../../../renderer/panes/pane-keys.ts';
import {
  columnsOf,
  declarationOf,
  hasNoCode,
  readSourceText,
  shownTokens,
} from '../../../renderer/panes/source/source-text.ts';
import { validateClientMessage } from '../../../shared/protocol/client-messages.ts';
import { canAskFor, classSource } from '../../../renderer/store/source-search.ts';
import { keyHelp } from '../../../renderer/shell/HelpDialog.tsx';
import { SAMPLES_ONLY } from '../../../shared/profile/profile-units.ts';
import type { Metric } from '../../../shared/engine/values/metric.ts';
import type { FileLines } from '../../../shared/engine/views/line-sums.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('source text');
const MARKS = { plain: '', keyword: 'k', string: 's', comment: 'c' } as const;

/** Each line with its tokens: `k{int} x = s{"a"}; c{// b}`. */
function marked(text: string): string[] {
  const source = readSourceText(text);
  return source.lines.map((_, at) =>
    shownTokens(source, at)
      .map(({ kind, text: part }) => (kind === 'plain' ? part : `${MARKS[kind]}{${part}}`))
      .join(''),
  );
}

describe('colours', () => {
  test('keywords, texts, comments', () => {
    expect(marked('int interest = "a // \\" b" + \'"\'; // "c"\nreturn $x /* d */ / 2;')).toEqual([
      'k{int} interest = s{"a // \\" b"} + s{\'"\'}; c{// "c"}',
      'k{return} $x c{/* d */} / 2;',
    ]);
  });

  test('comments and texts of several lines', () => {
    expect(
      marked('/* int\n * "a\n */ int x;\nvar t = """\n  // no comment\n  """; // one\n"/*" /**/ if'),
    ).toEqual([
      'c{/* int}',
      'c{ * "a}',
      'c{ */} k{int} x;',
      'k{var} t = s{"""}',
      's{  // no comment}',
      's{  """}; c{// one}',
      's{"/*"} c{/**/} k{if}',
    ]);
  });

  test('an unfinished text ends with its line', () => {
    expect(marked('x = "abc\nint y')).toEqual(['x = s{"abc}', 'k{int} y']);
  });

  test('nothing that changes the direction of text is shown, and no line of megabytes', () => {
    expect(marked('a\u202eb\tc')).toEqual(['a\\u202eb\tc']);
    const source = readSourceText('x'.repeat(1_000_000));
    expect(shownTokens(source, 0).map(({ text }) => text.length)).toEqual([2000, 2]);
    expect(columnsOf(source)).toBe(2000);
  });

  test('2000 random texts: no character is lost, and lines alone are as in the whole', () => {
    const parts = ['/*', '*/', '"""', '"', "'", '\\', '//', '\n', ' ', 'int', 'x', '1', '\t', 'é', '$', '/'];
    for (let scenario = 0; scenario < 2000; scenario++) {
      const random = randomFor(scenario);
      const text = Array.from({ length: random.below(40) }, () => random.pick(parts)).join('');
      const source = readSourceText(text);
      const shown = source.lines.map((_, at) =>
        shownTokens(source, at)
          .map((token) => token.text)
          .join(''),
      );
      expect(shown, `SEED=${seed} ${scenario}`).toEqual(source.lines);
    }
  });
});

test('lines are those of compilers', () => {
  expect(readSourceText('a\r\nb\rc\n').lines).toEqual(['a', 'b', 'c']);
  expect(readSourceText('').lines).toEqual([]);
});

test('a method without recorded lines is shown where it is declared', () => {
  const source = readSourceText(
    '/* void parse() */\nint x = parse(1);\nthis.parse(2);\n  void reparse() {}\n  static void parse(int a) {',
  );
  expect(declarationOf(source, 'parse')).toBe(5);
  expect([
    declarationOf(source, 'none'),
    declarationOf(source, '<init>'),
    declarationOf(source, '('),
  ]).toEqual([undefined, undefined, undefined]);
});

const NO = { selfCount: 0, totalCount: 0, selfTime: 0, totalTime: 0 };

/** `line: self/total` */
function fileLines(text: string, withoutLine = 0): FileLines {
  const lines = text.split(' ').map((each) => {
    const [line, self, total] = each.split(/[:/]/).map(Number);
    return { ...NO, line, selfCount: self, totalCount: total };
  });
  return { file: 'A.java', whole: NO, withoutLine: { ...NO, totalCount: withoutLine }, lines };
}

test('the hottest line has most of the samples that ended, then of those that passed', () => {
  expect(hottestLine(fileLines('3:1/9 5:4/4 7:4/6 9:4/6'), 'samples')).toBe(7);
  expect(hottestLine(fileLines('3:0/2 5:0/3'), 'samples')).toBe(5);
  expect(hottestLine({ ...fileLines('3:0/2'), lines: [] }, 'samples')).toBeUndefined();
});

test('lines that show time are ranked by time', () => {
  const times = { 3: [0, 90], 5: [0, 40], 7: [20, 30], 9: [50, 60] } as Record<number, [number, number]>;
  const samples = fileLines('3:9/9 5:4/8 7:2/3 9:0/2');
  const file = {
    ...samples,
    lines: samples.lines.map((each) => {
      const [selfTime, totalTime] = times[each.line];
      return { ...each, selfTime, totalTime };
    }),
  };
  const ranked = (metric: Metric): string =>
    hottestLines(file, metric)
      .map(({ line }) => line)
      .join(' ');
  expect([ranked('samples'), ranked('time')]).toEqual(['3 5 7 9', '9 7 3 5']);
  expect(hottestLine(file, 'time')).toBe(9);
  // A sample that ended has a value that may be zero.
  const ended = file.lines.slice(0, 2);
  expect([rankedBy(ended, 'samples'), rankedBy(ended, 'time')]).toEqual(['self', 'total']);
});

test('the next and the previous line with samples', () => {
  const lines = fileLines('3:1/9 5:4/4');
  expect([sampledLine(lines, 1, 1), sampledLine(lines, 3, 1), sampledLine(lines, 5, 1)]).toEqual([
    3,
    5,
    undefined,
  ]);
  expect([sampledLine(lines, 9, -1), sampledLine(lines, 5, -1), sampledLine(lines, 3, -1)]).toEqual([
    5,
    3,
    undefined,
  ]);
});

test('a text that cannot be what was recorded', () => {
  const source = readSourceText('class A {\n\n// a\n  int b() {\n/* c\n d */\n');
  expect([1, 2, 3, 4, 5, 6, 7, 0].map((line) => hasNoCode(source, line))).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(mismatch(source, fileLines('1:1/1 4:2/2'))).toBeUndefined();
  expect(mismatch(source, fileLines('2:1/1 4:2/2'))).toBe(
    'This source does not match the recorded program: samples are at line 2, where there is no code.',
  );
  expect(mismatch(source, fileLines('2:1/1 40:2/2 50:1/1 1060:1/1 1070:1/1'))).toBe(
    'This source does not match the recorded program: it ends at line 6, and samples are at lines 40, 50, 1,060.',
  );
});

test('a brace has code only where a method, a lambda, synchronized or try ends', () => {
  // As javac 17 and 25 number the lines of the bytecode: those with an asterisk have some.
  const text = readSourceText(`class B {
  void all(int a) throws Exception {
    if (a > 1) {
      n++;
    }
    for (int i = 0; i < a; i++) {
      n += i;
    }
    while (n > 5) {
      n -= 2;
    }
    synchronized (lock) {
      n++;
    } // *
    try (Closeable c = open(')')) {
      n++;
    } // *
    try {
      n++;
    } finally {
      n = 3;
    } // *
    switch (a) {
      case 1: {
        n = 1;
      }
      default -> {
        n = 2;
      }
    }
    Runnable r = () -> {
      n++;
    }; // *
    run(1, x -> {
      n++;
    }); // *
    run(new Runnable() {
      public void run() { n++;
      } // *
    });
    int[] q = {
      1, '}', "}", /* } */
    };
    loop: for (int x :
        new int[] { 1 }) {
      go();
    }
  } // *

  static {
    n = 1;
  } // *
  enum Kind { A,
    B
  }
  public static <T extends List<T>> T of(
      @Deprecated T first, String text) throws IOException {
    return first;
  } // *
}
`);
  const closing = text.lines.flatMap((line, at) => (/^\s*\}[;)]*(?: \/\/ \*)?$/.test(line) ? [at + 1] : []));
  const shown = closing.map((line) => `${line}${hasNoCode(text, line) ? '' : ' // *'}`);
  expect(shown).toEqual(
    closing.map((line) => `${line}${text.lines[line - 1].endsWith('// *') ? ' // *' : ''}`),
  );
  expect(closing.length).toBeGreaterThan(15);
  // A brace without another one is not judged.
  expect(hasNoCode(readSourceText('  }\n'), 1)).toBe(false);
});

test('the hottest line is one with code; none where no recorded line has any', () => {
  const text = readSourceText('class A {\n  void b() {\n    if (c) {\n      d();\n    }\n  }\n}\n');
  expect(hottestLineIn(text, fileLines('4:2/2 5:9/9 6:1/1'), 'samples')).toBe(4);
  expect(hottestLineIn(text, fileLines('5:9/9 70:3/3'), 'samples')).toBeUndefined();
  expect(hottestLineIn(text, fileLines('5:9/9 6:1/1'), 'samples')).toBe(6);
});

test('a source of another release of Java than the recorded one is said', () => {
  const said = (recorded?: string, source?: string): string | undefined => otherRelease(recorded, source);
  expect(said('17.0.15', '25.0.3')).toBe(
    'Recorded with 17.0.15, this is the source of 25.0.3: lines may be wrong.',
  );
  expect(said('1.8.0_412', '17')).toContain('Recorded with 1.8.0_412');
  expect([said('17.0.15', '17.0.1'), said('1.8.0_412', '8'), said(undefined, '25'), said('17')]).toEqual(
    Array(4).fill(undefined),
  );
});

test('what the numbers leave out is said', () => {
  const about = (...files: readonly FileLines[]): readonly string[] =>
    aboutLines({ className: 'A', methodName: 'b', files }, SAMPLES_ONLY);
  expect(about(fileLines('1:1/1'))).toEqual([]);
  expect(about(fileLines('1:1/1', 1))).toEqual(['1 sample of the method without a line number.']);
  expect(about({ ...fileLines('1:1/1', 5), lines: [] })).toEqual([
    'This profile has no line numbers for the method.',
  ]);
  const other = { ...fileLines('1:1/1'), file: 'B.java', whole: { ...NO, totalCount: 1200 } };
  expect(about(fileLines('1:1/1'), other)).toEqual(['1,200 samples of methods of this name in other files.']);
});

test('the dialog of keyboard shortcuts lists the keys of a source', () => {
  const names: Readonly<Record<string, string>> = {
    '↑': 'ArrowUp',
    '↓': 'ArrowDown',
    '←': 'ArrowLeft',
    '→': 'ArrowRight',
    PgUp: 'PageUp',
    PgDn: 'PageDown',
    'Alt ↓': 'ArrowDown',
  };
  const listed = keyHelp(false)
    .find(({ title }) => title === 'Source')!
    .keys.flatMap(([keys]) => keys);
  const press = (shown: string): unknown => {
    const key = shown.replace('Ctrl ', '');
    const isControl = shown.startsWith('Ctrl ');
    return sourceKey({
      key: isControl ? key.toLowerCase() : (names[key] ?? key),
      code: '',
      ctrlKey: isControl,
      metaKey: false,
      altKey: shown.startsWith('Alt '),
      shiftKey: false,
    });
  };
  expect(listed.filter((key) => press(key) === undefined)).toEqual([]);
  expect(listed).toHaveLength(11);
  expect([press('x'), press('constructor'), press('Ctrl x')]).toEqual([undefined, undefined, undefined]);
});

test('no name of a damaged profile makes a message that the host disconnects for', () => {
  const one = { selfCount: 1, totalCount: 1, selfTime: 0, totalTime: 0 };
  const lines = Array.from({ length: 60 }, (_, at) => ({ ...one, line: 2_000_000_000 + at }));
  const wanted = (className: string, methodName: string): ReturnType<typeof classSource> => {
    const file = { file: 'Shop.java', whole: one, withoutLine: one, lines };
    return classSource({ className, methodName, files: [file] });
  };
  const names = ['a', '\0', '"', '\ud800', 'é'].flatMap((character) =>
    [1, 300, 500, 501, 1_900, 5_000].map((count) => character.repeat(count)),
  );
  const sources = names.flatMap((className) => names.map((methodName) => wanted(className, methodName)));
  const accepted = sources.filter(canAskFor);
  const refused = accepted.flatMap((source) =>
    [
      { type: 'findSource', request: 1e9, ...source },
      { type: 'editSource', line: 2e9, ...source },
    ].filter((message) => 'refusal' in validateClientMessage(JSON.stringify(message))),
  );
  expect(refused).toEqual([]);
  expect(wanted('Shop', 'get')).toMatchObject({ method: 'get', lines: { length: 50 } });
  // Its class is what the file is found by.
  expect(wanted('Shop', '\0'.repeat(500))).toEqual({ className: 'Shop', file: 'Shop.java' });
  expect(canAskFor(wanted('Shop', '\0'.repeat(500)))).toBe(true);
  expect(canAskFor(wanted('\0'.repeat(500), 'get'))).toBe(false);
});
