import { type FactTable, factTable } from '../../facts/format-facts.ts';
import type { WantedNames } from './field-plan.ts';

/** Fields of `jdk.JVMInformation`, in the order in which `RecordedJvm` gets their texts. */
export const JVM_FIELDS = [
  'jvmName',
  'jvmVersion',
  'javaArguments',
  'jvmArguments',
] as const satisfies WantedNames;

const COLUMNS = 'Property | Value';
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

  /** Without the number of its build; undefined if the recording does not name it. */
  get javaVersion(): string | undefined {
    const [, version = ''] = this.#texts;
    const known = javaVersion(version).replace(/[+-].*/, '');
    return known === '' ? undefined : known;
  }

  tables(): readonly FactTable[] {
    const [name = '', version = '', program = '', options = ''] = this.#texts;
    const jvm = tableOf('JVM', [
      ['Java version', javaVersion(version)],
      ['Virtual machine', name],
    ]);
    const commandLine = tableOf('Command line', [
      ['Program', program],
      ['Options', options],
    ]);
    return [...jvm, ...commandLine.map((table) => ({ ...table, isPrivate: true as const }))];
  }
}

/** Without the rows that the recording does not have; none if it has none of them. */
function tableOf(title: string, texts: readonly (readonly [row: string, text: string])[]): FactTable[] {
  const rows = texts.filter(([, text]) => text !== '').map(([row, text]) => [row, cut(text)]);
  return rows.length === 0 ? [] : [factTable(title, COLUMNS, rows)];
}

function javaVersion(version: string): string {
  const known = JDK_VERSION.exec(version)?.[1];
  return known ?? (BARE_VERSION.test(version) ? version : '');
}

function cut(value: string): string {
  return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
}
