import { expect, test } from 'vitest';
import { frameFamily } from '../../../shared/text/frame-colour.ts';

const FAMILIES: readonly (readonly [family: ReturnType<typeof frameFamily>, labels: readonly string[]])[] = [
  [
    'jdk',
    [
      'java.util.HashMap.get',
      'java/util/HashMap.get:12',
      '(4711) javax.swing.JTable.paint',
      'jdk.internal.misc.Unsafe.park:-3',
      'sun.nio.ch.Net.poll',
      'com.sun.proxy.$Proxy7.run',
      'java.lang.invoke.LambdaForm$DMH/0x00080c03000.invokeStatic',
      'org.xml.sax.helpers.ParserAdapter.parse',
    ],
  ],
  [
    'application',
    [
      'shop.Cart.total',
      'shop/Cart.total:7',
      'Cart.total',
      '(47) Cart.total',
      'javascript.Engine.run',
      'com.sunshine.Beach.lie',
      'Shop$$Lambda$14.0x00080c03000.run',
      'Shop$$Lambda/0x00080c03000.run',
      'org.w3c.tidy.Tidy.parse',
      'java_shop.Cart.total',
    ],
  ],
  [
    'native',
    [
      'Compiler::compile_method',
      'std::vector<int, std::allocator<int> >::push_back',
      '__memcpy_avx_unaligned_erms',
      'read',
      'libjvm.so',
      'libc.so.6',
      '/usr/lib/libjvm.so',
      '[unknown]',
      '[libc.so.6]',
      '(truncated)',
      '<empty>',
      '<UNIDENTIFIED : Method Id = 7>',
      'byte[]',
      '',
    ],
  ],
];

test.each(FAMILIES)('%s', (family, labels) => {
  expect(labels.map((label) => [label, frameFamily(label)])).toEqual(labels.map((label) => [label, family]));
});
