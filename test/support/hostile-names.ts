import type { SeededRandom } from './seeded-random.ts';

/** Names that try to inject: into markup, attributes, scripts, templates, terminals, spreadsheets, property tables. */
export const HOSTILE_NAMES: readonly string[] = [
  '</script><script>alert(1)</script>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '" onclick="alert(1)',
  'javascript:alert(1)',
  ']]>',
  '--><!--',
  '<!--',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '<?xml version="1.0"?>',
  '&amp;lt;',
  '&nbsp;&#0;&#x1b;',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '%0a%0d',
  'line\r\nbreak\ttab',
  '\u0000nul\u001b[31mescape\u0007',
  '\u0085\u2028\u2029',
  '\ufffe\uffff',
  '\ud800 high alone',
  'low alone \udfff',
  '\u202egnirts desrever',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} family',
  'e\u0301'.repeat(30),
  '__proto__',
  'constructor',
  'toString',
  '=1+1',
  '@SUM(A1)',
  '<init>',
  ' ',
  '',
];

const DANGEROUS = Array.from('<>&"\'=+-@,;\t\r\n\0\u001b');

/** Names of random characters, many of them dangerous. */
export function randomName(random: SeededRandom): string {
  const length = random.below(random.pick([4, 20, 200]));
  let name = '';
  for (let at = 0; at < length; at++) {
    const kind = random.below(8);
    if (kind < 2) name += random.pick(DANGEROUS);
    else if (kind < 5) name += String.fromCharCode(0x20 + random.below(0x5f));
    else if (kind < 7) name += String.fromCharCode(random.below(0x10000));
    else name += String.fromCodePoint(random.below(0x110000));
  }
  return name;
}
