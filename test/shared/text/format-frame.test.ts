import { expect, test } from 'vitest';
import { elideMiddle, labelForms, shownLabel, splitFrameLabel } from '../../../shared/text/format-frame.ts';

/** id|package|name|position, and |hidden where there is something. */
function parts(label: string): string {
  const { id, package: path, name, position, hidden } = splitFrameLabel(label);
  return [id, path, name, position, ...(hidden === '' ? [] : [hidden])].join('|');
}

test('a label comes apart into what is looked for and what is not', () => {
  expect(parts('java.util.HashMap.get')).toBe('|java.util.|HashMap.get|');
  expect(parts('java.util.HashMap$Node.<init>:12')).toBe('|java.util.|HashMap$Node.<init>|:12');
  expect(parts('Shop.main:-100')).toBe('||Shop.main||:-100');
  expect(parts('java/util/HashMap.get:0')).toBe('|java/util/|HashMap.get|:0');
  expect(parts('(-9151314442816847872) com.acm.Shop.main')).toBe(
    '(-9151314442816847872) |com.acm.|Shop.main|',
  );
  expect(parts('AGCT.UnknownJavaErr5')).toBe('||AGCT.UnknownJavaErr5|');
  expect(parts('com.acm.Foo$$Lambda$14.0x0000000800c03000.run')).toBe(
    '|com.acm.|Foo$$Lambda$14.0x0000000800c03000.run|',
  );
  expect(parts('com.acm.Foo$$Lambda/0x0000000800c03000.run')).toBe(
    '|com.acm.|Foo$$Lambda/0x0000000800c03000.run|',
  );
  expect(parts('com.acm.Foo$$Lambda$83+0x00007f4a04007c10.1043351526.run')).toBe(
    '|com.acm.|Foo$$Lambda$83+0x00007f4a04007c10.1043351526.run|',
  );
  expect(parts('com.acm.Foo$$Lambda$14.1043351526.run')).toBe('|com.acm.|Foo$$Lambda$14.1043351526.run|');
});

test('labels that are no names stay whole', () => {
  expect(parts('<UNIDENTIFIED : Method Id = 4711>')).toBe('||<UNIDENTIFIED : Method Id = 4711>|');
  expect(parts('')).toBe('|||');
  expect(parts('main')).toBe('||main|');
  expect(parts('.run')).toBe('||.run|');
});

test('the parts are the label again', () => {
  for (const label of [
    'a.b.C.d:1',
    '(1) a.B.c',
    '..',
    'a..b',
    ':1',
    '(1) ',
    'a.0x1f.b',
    '日本.語.メソッド:-3',
  ]) {
    expect(parts(label).split('|').join('')).toBe(label);
  }
});

test('no form of a label shows the number of an unknown position', () => {
  expect(shownLabel('Shop.main:-100')).toBe('Shop.main');
  expect(shownLabel('Shop.main:100')).toBe('Shop.main:100');
  for (const label of ['', ' ', '\u200b\t', '\u2028']) expect(shownLabel(label)).toBe('(no name)');
  expect(shownLabel(' . ')).toBe(' . ');
  expect(shownLabel('<UNIDENTIFIED : Method Id = 4711>:-101')).toBe('<UNIDENTIFIED : Method Id = 4711>');
  expect(labelForms('a.Shop.main:-3')).toEqual(['a.Shop.main', 'Shop.main', 'Shop.main', 'main']);
});

test('a label loses its package first, then its position, then its class', () => {
  expect(labelForms('java.util.HashMap.get:12')).toEqual([
    'java.util.HashMap.get:12',
    'HashMap.get:12',
    'HashMap.get',
    'get',
  ]);
  expect(labelForms('java.util.regex.Pattern$Branch.match')).toEqual([
    'java.util.regex.Pattern$Branch.match',
    'Pattern$Branch.match',
    'Pattern$Branch.match',
    'Branch.match',
    'match',
  ]);
  // What is behind the last `$` is no name.
  expect(labelForms('Shop$1.run').slice(2)).toEqual(['Shop$1.run', 'run']);
});

test('a class that was allocated is a name behind its package, and a lambda loses its number and address', () => {
  const partsOf = (label: string): readonly string[] => {
    const { package: path, name } = splitFrameLabel(label);
    return [path, name];
  };
  expect(partsOf('java.lang.Double')).toEqual(['java.lang.', 'Double']);
  expect(partsOf('java.util.HashMap$Node')).toEqual(['java.util.', 'HashMap$Node']);
  expect(partsOf('java.util.HashMap.get')).toEqual(['java.util.', 'HashMap.get']);
  expect(partsOf('Double')).toEqual(['', 'Double']);
  for (const hidden of ['$104+0x00007f5ff000dfe0.1625082366', '$14.0x00080c03000', '/0x00080c03000', '$3'])
    expect(labelForms(`a.Server$$Lambda${hidden}.run`)).toEqual([
      'a.Server$$Lambda.run',
      'Server$$Lambda.run',
      'Server$$Lambda.run',
      'run',
    ]);
});

test('long file names lose their middle', () => {
  expect(elideMiddle('short.hpl', 12)).toBe('short.hpl');
  expect(elideMiddle('checkout-service-2026-11-20.hpl', 16)).toBe('checkout…-20.hpl');
  expect(elideMiddle('aaaa😀bbbb', 8)).toBe('aaaa…bbb');
  expect(elideMiddle('aaa😀bbbbb', 8)).toBe('aaa…bbb');
});
