import { readFileSync } from 'node:fs';
import { COLLAPSED } from '../../shared/formats/collapsed/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';

const text = [
  '# CPU, ten milliseconds a sample',
  '[main tid=7];java/lang/Thread.run_[0];Shop.serve:12_[j];Cart.add_[i] 17',
  '[main tid=7];java/lang/Thread.run_[0];Shop.serve:12_[j];Cart.sum_[i] 2147483648',
  '[main tid=7];java/lang/Thread.run_[0];Shop.serve:14_[1];memcpy 0.25',
  '',
  'no stack',
  '[worker 3 tid=8];Shop.draw;Größe.messen;do_syscall_64_[k] 1.5e+3',
  '// a remark',
  'Compiler::compile (int, char)  12\t',
  'a;;b; 3',
  'a;b 3',
].join('\n');

testFormatLaws({
  format: COLLAPSED,
  small: [
    Buffer.from(text),
    Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}\r\n`),
    Buffer.from(
      '\ufeffa;b 5\r\n[main tid=7];Größe.messen 17\r\na;b 1\r\nstrange\r\n\na;c 7\r\na;\u{1f600}c 5',
      'utf16le',
    ),
    Buffer.from(
      '# a remark\nMain.main;Shop.price 10 12\nMain.main;Shop.list 5 9\r\n\nMain.main;Shop.gone 4 0\nnone\na 3',
    ),
    Buffer.from('\ufeffa;b 5\nc 17\n# é\na;c 5\n', 'utf16le').swap16(),
  ],
  large: [readFileSync('test/golden/collapsed/shop-jdk17.lock.reference.collapsed')],
  chosen: [{}, { unit: 'bytes', threads: 'off', 'frame-types': 'on' }],
});
