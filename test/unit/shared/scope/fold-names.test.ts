import { expect, test } from 'vitest';
import { foldedNames } from '../../../../shared/scope/fold-names.ts';
import { MACHINE_NAMES, type MachineName } from '../../../../shared/scope/scope.ts';

const EXAMPLES = `
  lambda      Shop$$Lambda/0x00007f1234567890.run             Shop$$Lambda.run
  lambda      Shop$$Lambda$14/0x0000000800c03000.run          Shop$$Lambda.run
  lambda      Shop$$Lambda$14.1234567.run                     Shop$$Lambda.run
  lambda      Shop$$Lambda$83+0x7f4a.17.run                   Shop$$Lambda.run
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
});

test.each([
  'Shop.main',
  'Lambda.run',
  'Shop$1.run',
  'Shop$Cart.lambda',
  'a.b2.C3.d4',
  'Proxy1.x',
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
