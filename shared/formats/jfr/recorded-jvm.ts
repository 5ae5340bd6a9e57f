import { type FactTable, factTable } from '../../facts/format-facts.ts';
import type { WantedNames } from './field-plan.ts';

/** Fields of `jdk.JVMInformation`, in the order in which `RecordedJvm` gets their texts. */
export const JVM_FIELDS = [
  'jvmName',
  'jvmVersion',
  'javaArguments',
  'jvmArguments',
] as const satisfies WantedNames;

const COLUMNS: FactTable['columns'] = [
  { name: 'Property', kind: 'text' },
  { name: 'Value', kind: 'text' },
];
/** Of a command line. Tables are sent to the window several times a second. */
const MOST_CHARACTERS = 2_000;
/** `OpenJDK 64-Bit Server VM (17.0.12+7) for linux-amd64 JRE (17.0.12+7), built on …`. */
const JDK_VERSION = /JRE \(([^()\s]+)\)/;
/** async-profiler writes no more than the version. */
const BARE_VERSION = /^\d[\w.+-]*$/;

/** The JVM that was recorded. The latest chunk counts: only a repository could have another JVM in an earlier one. */
export class RecordedJvm {
  #texts: readonly string[] = [];

  /** The texts of JVM_FIELDS; empty where the recording has none. */
  note(texts: readonly string[]): void {
    this.#texts = texts;
  }

  tables(): readonly FactTable[] {
    const [name = '', version = '', program = '', options = ''] = this.#texts;
    const rows = [
      ['Java version', javaVersion(version)],
      ['Virtual machine', name],
      ['Program', program],
      ['Options', options],
    ]
      .filter(([, value]) => value !== '')
      .map(([row, value]) => [row, cut(value)]);
    return rows.length === 0 ? [] : [factTable('JVM', COLUMNS, rows)];
  }
}

function javaVersion(version: string): string {
  const known = JDK_VERSION.exec(version)?.[1];
  return known ?? (BARE_VERSION.test(version) ? version : '');
}

function cut(value: string): string {
  return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
}
