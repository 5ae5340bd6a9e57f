import { basename } from 'node:path';

/** The command line of a Java launcher in its parts. */
interface JavaCommand {
  readonly jvmArguments: readonly string[];
  /** Main class, `module/class` or jar. */
  readonly main: string;
  readonly mainArguments: string;
}

/** Options of the launcher whose value is the next argument. */
const WITH_VALUE = new Set([
  '-cp',
  '-classpath',
  '--class-path',
  '-p',
  '--module-path',
  '--upgrade-module-path',
  '--add-modules',
  '--add-reads',
  '--add-exports',
  '--add-opens',
  '--limit-modules',
  '--patch-module',
  '--source',
  '--enable-native-access',
]);
const NAMES_MAIN = new Set(['-jar', '-m', '--module']);

/** `argv`: the arguments of the process, the program first. */
export function parseJavaCommand(argv: readonly string[]): JavaCommand {
  let at = 1;
  while (at < argv.length && argv[at].startsWith('-') && !NAMES_MAIN.has(argv[at]))
    at += WITH_VALUE.has(argv[at]) ? 2 : 1;
  const jvmArguments = argv.slice(1, at);
  if (NAMES_MAIN.has(argv[at])) at++;
  return {
    jvmArguments,
    main: mainName(argv.at(at) ?? basename(argv[0] ?? 'java')),
    mainArguments: argv.slice(at + 1).join(' '),
  };
}

/** The command of a program that embeds a JVM. Its own name says most, and some pass on options of the JVM. */
export function launcherCommand([program = 'java', ...args]: readonly string[]): JavaCommand {
  return {
    jvmArguments: args.filter((each) => each.startsWith('-')),
    main: basename(program),
    mainArguments: args.filter((each) => !each.startsWith('-')).join(' '),
  };
}

/**
 * The arguments of a JVM. `argv`: those on its command line. `vmArgs`: `java.rt.vmArgs`, joined by blanks, which also has
 * those of argument files (`@args.txt`), JDK_JAVA_OPTIONS and JAVA_TOOL_OPTIONS, but no class path.
 */
export function allJvmArguments(argv: readonly string[], vmArgs = ''): readonly string[] {
  // An argument may have blanks, at which `vmArgs` are split.
  const known = new Set(argv.flatMap(splitJvmArguments));
  return [...splitJvmArguments(vmArgs).filter((each) => !known.has(each)), ...argv];
}

/** `vmArgs`: `java.rt.vmArgs`. */
export function splitJvmArguments(vmArgs: string): readonly string[] {
  return vmArgs === '' ? [] : vmArgs.split(/ (?=-)/);
}

/** Characters that a single option, such as a class path, keeps in a command line that is too long. */
const MOST_OPTION_CHARACTERS = 60;

/**
 * A command line for the user. One of more than `most` characters is shortened: each long option of the JVM in its middle,
 * then all options together, and the arguments of the program only if they are long themselves.
 */
export function shownCommand({ jvmArguments, main, mainArguments }: JavaCommand, most: number): string {
  const program = `${main} ${mainArguments}`.trim();
  const whole = [...jvmArguments, program].join(' ');
  if (whole.length <= most) return whole;
  const options = jvmArguments.map((each) => withoutMiddle(each, MOST_OPTION_CHARACTERS)).join(' ');
  const shown = withoutMiddle(options, Math.max(most - program.length - 1, most >> 1));
  return `${shown} ${withoutMiddle(program, most - shown.length - 1)}`.trim();
}

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most >> 1;
  return `${text.slice(0, most - end - 1)}…${text.slice(text.length - end)}`;
}

/** `command`: `sun.rt.javaCommand`, the main class or jar and its arguments, joined by blanks. */
export function parseMainCommand(command: string): Pick<JavaCommand, 'main' | 'mainArguments'> {
  const [main, mainArguments] = firstWord(command);
  const isSource = main.includes('com.sun.tools.javac.launcher.');
  if (!isSource || mainArguments === '') return { main: mainName(main), mainArguments };
  // `java File.java` runs the compiler's launcher: the file says more.
  const [file, rest] = firstWord(mainArguments);
  return { main: mainName(file), mainArguments: rest };
}

function firstWord(text: string): readonly [word: string, rest: string] {
  const blank = text.indexOf(' ');
  return blank < 0 ? [text, ''] : [text.slice(0, blank), text.slice(blank + 1)];
}

/** A jar or a source file without its folder. */
function mainName(main: string): string {
  return /\.(?:jar|war|java)$/.test(main) ? basename(main) : main;
}
