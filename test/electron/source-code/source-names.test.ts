import { expect, test } from 'vitest';
import { declaredPackage, SourceIndex, sourceNames } from '../../../electron/source-code/source-names.ts';
import { testSeed } from '../../support/test-seed.ts';

const { seed, randomFor } = testSeed('source names');

/** `com/acme: Shop.java` */
function names(className: string, file = ''): string {
  const found = sourceNames(className, file);
  return found === undefined ? '-' : `${found.packagePath}: ${found.fileNames.join(' ')}`;
}

test('the recorded file, in the folder of the package', () => {
  expect(names('com.acme.Shop', 'Shop.java')).toBe('com/acme: Shop.java');
  expect(names('com.acme.Shop$Cart$1', 'Shop.java')).toBe('com/acme: Shop.java');
  expect(names('com.acme.ShopKt', 'Shop.kt')).toBe('com/acme: Shop.kt');
  expect(names('com/acme/Shop$', 'Shop.scala')).toBe('com/acme: Shop.scala');
  expect(names('Shop', 'Shop.java')).toBe(': Shop.java');
  expect(names('com.acme.Shop$$Lambda$29.0x00007fb78c014000', 'Shop.java')).toBe('com/acme: Shop.java');
});

test('without a recorded file the outermost class names it', () => {
  expect(names('java.util.HashMap$Node')).toBe(
    'java/util: HashMap.java HashMap.kt HashMap.scala HashMap.groovy',
  );
  expect(names('com.acme.ShopKt', 'UnknownFile')).toBe(
    'com/acme: ShopKt.java ShopKt.kt ShopKt.scala ShopKt.groovy Shop.kt',
  );
  expect(names('com.acme.$Proxy7')).toBe('com/acme: $Proxy7.java $Proxy7.kt $Proxy7.scala $Proxy7.groovy');
  expect(names('java.lang.invoke.LambdaForm$MH/0x00007f4a04007c10')).toContain(
    'java/lang/invoke: LambdaForm.',
  );
});

test.each([
  ['..', 'Shop.java'],
  ['com...acme.Shop', 'Shop.java'],
  ['../../etc/Shop', 'Shop.java'],
  ['/etc/Shop', 'Shop.java'],
  ['com.acme.Shop', '../Shop.java'],
  ['com.acme.Shop', '/etc/passwd'],
  ['com.acme.Shop', 'passwd'],
  ['com.acme.Shop', 'id_rsa'],
  ['com.acme.Shop', '.java'],
  ['com.acme.Shop', '.env.java'],
  ['com.acme.Shop', 'Shop.java/'],
  ['com.acme.Shop', 'C:Shop.java'],
  ['com.acme.Shop', '..\\Shop.java'],
  ['com.ac\0me.Shop', 'Shop.java'],
  ['com.acme.Shop', 'Sh\0op.java'],
  ['com.acme.Shop', ' Shop.java'],
  ['com.C:\\x.Shop', 'Shop.java'],
  ['', 'Shop.java'],
  ['a.'.repeat(100), 'Shop.java'],
  ['com.acme.Shop', `${'a'.repeat(300)}.java`],
])('no file may be looked for: %j %j', (className, file) => {
  expect(names(className, file)).toBe('-');
});

test('20,000 names made of hostile parts: no path leaves the root', () => {
  const parts = [
    '..',
    '.',
    '/',
    '\\',
    'com',
    'Shop',
    '$',
    '.java',
    '\0',
    ':',
    'C',
    '%2e',
    ' ',
    '\u202e',
    '~',
  ];
  let accepted = 0;
  for (let scenario = 0; scenario < 20_000; scenario++) {
    const random = randomFor(scenario);
    const text = (): string => Array.from({ length: random.below(6) }, () => random.pick(parts)).join('');
    const [className, file] = [text(), random.below(2) === 0 ? '' : text()];
    const found = sourceNames(className, file);
    if (found === undefined) continue;
    accepted++;
    for (const name of found.fileNames) {
      const steps = `${found.packagePath}/${name}`.split('/').slice(found.packagePath === '' ? 1 : 0);
      const where = `SEED=${seed} ${JSON.stringify([className, file])}`;
      expect(
        steps.every((step) => step !== '' && step !== '.' && step !== '..' && !/[\\:\p{C}]/u.test(step)),
        where,
      ).toBe(true);
      expect(name, where).toMatch(/\.(java|kt|scala|groovy)$/);
    }
  }
  expect(accepted).toBeGreaterThan(100);
});

test('an index finds a package wherever it begins, the shortest path first', () => {
  const index = new SourceIndex();
  for (const path of [
    'app/src/test/java/com/acme/Shop.java',
    'app/src/main/java/com/acme/Shop.java',
    'com/acme/Shop.class',
    'lib/com/other/Shop.java',
    'lib/xcom/acme/Shop.java',
    'java.base/java/util/HashMap.java',
    'Main.java',
  ])
    index.add(path);
  const find = (className: string, file = ''): readonly string[] =>
    index.inPackage(sourceNames(className, file)!);
  expect(find('com.acme.Shop$1')).toEqual([
    'app/src/main/java/com/acme/Shop.java',
    'app/src/test/java/com/acme/Shop.java',
  ]);
  expect(find('java.util.HashMap$Node')).toEqual(['java.base/java/util/HashMap.java']);
  expect(find('Main')).toEqual(['Main.java']);
  expect(find('Shop')).toEqual([]);
  expect(find('acme.Shop')).toHaveLength(3);
});

test('the package that a file declares', () => {
  expect(declaredPackage('/* package wrong; */\n// package wrong\npackage com.acme;\nclass Shop {}')).toBe(
    'com.acme',
  );
  expect(declaredPackage('@file:JvmName("Shop")\n\npackage com.`acme`\n')).toBe('com.acme');
  expect(declaredPackage('class Shop { String s = "package x;"; }')).toBe('');
});
