import type { MethodNames } from '../profile/method-table.ts';
import type { MachineName } from './scope.ts';

/** Address or number of a hidden class: `/0x00007f12`, `.0x7f12`, `+0x7f12/1234`; of OpenJ9 `/000000009800F0A0`. */
const HIDDEN = String.raw`(?:[./+](?:0x[\da-fA-F]+|\d+|[\da-fA-F]{16}))`;

/** What is replaced in class names, and by what. The order matters: the first that changes a name is used. */
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
    // An enhanced class can be enhanced again, or have a fast class: each part has a number.
    [
      new RegExp(
        String.raw`(\$\$(?:(?:EnhancerBy|FastClassBy|KeyFactoryBy)[A-Za-z]*|SpringCGLIB|FastClass))\$\$[\da-f]+(?:_\d+)?(?:(?=\$\$)|${HIDDEN}*$)`,
        'g',
      ),
      '$1',
    ],
    [
      new RegExp(
        String.raw`(\$(?:ByteBuddy|HibernateProxy|MockitoMock|HibernateInstantiator|HibernateAccessOptimizer))\$(?!auxiliary\b)\w+(?:(\$auxiliary)\$\w+)?${HIDDEN}*$`,
      ),
      '$1$2',
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
    className = replacedByFirst(className, CLASS_NAMES[kind]);
    if (kind === 'lambda') methodName = methodName.replace(LAMBDA_METHOD, '$1');
  }
  if (className === names.className && methodName === names.methodName) return names;
  return { ...names, className, methodName };
}

/** Whether any of the names has a machine-made part. O(methods). */
export function hasFoldedNames(
  names: readonly (MethodNames | undefined)[],
  kinds: readonly MachineName[],
): boolean {
  return names.some((each) => each !== undefined && foldedNames(each, kinds) !== each);
}

function replacedByFirst(name: string, rules: readonly (readonly [RegExp, string])[]): string {
  for (const [pattern, to] of rules) {
    const replaced = name.replace(pattern, to);
    if (replaced !== name) return replaced;
  }
  return name;
}
