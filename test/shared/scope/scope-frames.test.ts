import { expect, test } from 'vitest';
import { foldedNames } from '../../../shared/scope/scope-frames.ts';
import { MACHINE_NAMES, type MachineName } from '../../../shared/scope/scope.ts';

const EXAMPLES = `
  lambda      Shop$$Lambda/0x00007f1234567890.run             Shop$$Lambda.run
  lambda      Shop$$Lambda$14/0x0000000800c03000.run          Shop$$Lambda.run
  lambda      Shop$$Lambda$14.1234567.run                     Shop$$Lambda.run
  lambda      Shop$$Lambda$83+0x7f4a.17.run                   Shop$$Lambda.run
  lambda      Shop$$Lambda$69/000000009800F0A0.run            Shop$$Lambda.run
  lambda      Shop$$Lambda/00000000E4A1B2C3.run               Shop$$Lambda.run
  lambda      Shop.lambda$main$0                              Shop.lambda$main
  lambda      Shop$.$anonfun$main$12                          Shop$.$anonfun$main
  lambda      java.lang.invoke.LambdaForm$MH/0x7f00.invoke    java.lang.invoke.LambdaForm$MH.invoke
  lambda      java.lang.invoke.LambdaForm$DMH$7.invoke        java.lang.invoke.LambdaForm$DMH.invoke
  proxy       com.sun.proxy.$Proxy12.sell                     com.sun.proxy.$Proxy.sell
  proxy       jdk.proxy2.$Proxy33.sell                        jdk.proxy.$Proxy.sell
  reflection  jdk.internal.reflect.GeneratedMethodAccessor7.invoke       jdk.internal.reflect.GeneratedMethodAccessor.invoke
  reflection  sun.reflect.GeneratedConstructorAccessor70.newInstance     sun.reflect.GeneratedConstructorAccessor.newInstance
  generated   Cart$$EnhancerBySpringCGLIB$$a1b2c3.add         Cart$$EnhancerBySpringCGLIB.add
  generated   Cart$$SpringCGLIB$$0.add                        Cart$$SpringCGLIB.add
  generated   Cart$$SpringCGLIB$$FastClass$$1.invoke          Cart$$SpringCGLIB$$FastClass.invoke
  generated   Cart$$EnhancerBySpringCGLIB$$155ee6c5$$FastClassBySpringCGLIB$$25271246.invoke   Cart$$EnhancerBySpringCGLIB$$FastClassBySpringCGLIB.invoke
  generated   Cart$$EnhancerBySpringCGLIB$$155ee6c5$$EnhancerBySpringCGLIB$$9f.add   Cart$$EnhancerBySpringCGLIB$$EnhancerBySpringCGLIB.add
  generated   Cart$$FastClassByGuice$$7e9f8d_2/0x7f12.invoke  Cart$$FastClassByGuice.invoke
  generated   Cart$ByteBuddy$aBcD12Xy$auxiliary$c3D4.run      Cart$ByteBuddy$auxiliary.run
  generated   Cart$MockitoMock$123456$auxiliary$x9Yz/0x7f12.call   Cart$MockitoMock$auxiliary.call
  generated   Cart$MockitoMock$1234567890.add                 Cart$MockitoMock.add
  generated   Cart$ByteBuddy$aBcD12Xy.add                     Cart$ByteBuddy.add
  generated   Cart$HibernateProxy$r5x.getId                   Cart$HibernateProxy.getId
  generated   Cart_$$_jvst1a2_0.add                           Cart_$$_jvst.add
  generated   Cart/0x00007f1234567890.add                     Cart.add
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [MachineName, string, string]);

test.each(EXAMPLES)('%s: %s -> %s', (kind, from, to) => {
  expect(folded(from, [kind])).toBe(to);
  expect(folded(from, MACHINE_NAMES)).toBe(to);
  // A scope may fold what a scope before it has folded.
  expect(folded(to, MACHINE_NAMES)).toBe(to);
});

test.each([
  'Shop.main',
  'Lambda.run',
  'Shop$1.run',
  'Shop$Cart.lambda',
  'a.b2.C3.d4',
  'Proxy1.x',
  'com.acme.Decade.facade',
  'Cart$auxiliary$x.run',
  'Cart$$FastClass.run',
  '<native>',
])('%s stays, as the same object', (name) => {
  const names = namesOf(name);
  expect(foldedNames(names, MACHINE_NAMES)).toBe(names);
});

function folded(name: string, kinds: readonly MachineName[]): string {
  const { className, methodName } = foldedNames(namesOf(name), kinds);
  return `${className}.${methodName}`;
}

function namesOf(name: string): { file: string; className: string; methodName: string } {
  const dot = name.lastIndexOf('.');
  return { file: '', className: name.slice(0, Math.max(dot, 0)), methodName: name.slice(dot + 1) };
}
