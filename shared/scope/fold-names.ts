import type { MethodNames } from '../profile/method-table.ts';
import type { MachineName } from './scope.ts';

/** Address or number of a hidden class: `/0x00007f12`, `.0x7f12`, `+0x7f12/1234`. */
const HIDDEN = String.raw`(?:[./+](?:0x[\da-fA-F]+|\d+))`;

/** What is replaced in class names, and by what. The order matters: the first that matches is used. */
const CLASS_NAMES: Readonly<Record<MachineName, readonly (readonly [RegExp, string])[]>> = {
  lambda: [
    [new RegExp(String.raw`\$\$Lambda(?:\$\d+)?${HIDDEN}*$`), '$$$$Lambda'],
    [new RegExp(String.raw`(LambdaForm\$[A-Za-z]+)(?:\$\d+)?${HIDDEN}*$`), '$1'],
  ],
  proxy: [
    [/^jdk\.proxy\d*\.\$Proxy\d+$/, 'jdk.proxy.$$Proxy'],
    [/\$Proxy\d+$/, '$$Proxy'],
  ],
  reflection: [
    [
      new RegExp(
        String.raw`(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+${HIDDEN}*$`,
      ),
      '$1',
    ],
  ],
  generated: [
    [/(\$\$(?:EnhancerBy|FastClassBy|KeyFactoryBy)[A-Za-z]*|\$\$SpringCGLIB)\$\$[\da-f]+$/, '$1'],
    [
      /(\$(?:ByteBuddy|HibernateProxy|MockitoMock|HibernateInstantiator|HibernateAccessOptimizer))\$\w+$/,
      '$1',
    ],
    [/(_\$\$_jvst)[\da-f]*_[\da-f]+$/, '$1'],
    [new RegExp(`${HIDDEN}+$`), ''],
  ],
};

/** Numbers that a compiler gives to the methods of lambdas: `lambda$main$0`, Scala's `$anonfun$main$1`. */
const LAMBDA_METHOD = /^(lambda\$.+|\$anonfun\$.+)\$\d+$/;

/** The names with their machine-made parts removed; the same object when there are none. */
export function foldedNames(names: MethodNames, kinds: readonly MachineName[]): MethodNames {
  let { className, methodName } = names;
  for (const kind of kinds) {
    const rule = CLASS_NAMES[kind].find(([pattern]) => pattern.test(className));
    if (rule !== undefined) className = className.replace(rule[0], rule[1]);
    if (kind === 'lambda') methodName = methodName.replace(LAMBDA_METHOD, '$1');
  }
  if (className === names.className && methodName === names.methodName) return names;
  return { ...names, className, methodName };
}
