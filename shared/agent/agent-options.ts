/** The options of Honest Profiler's agent (specs: hpl-and-lean-profile, section 5). */
export type AgentKey =
  | 'interval'
  | 'intervalMin'
  | 'intervalMax'
  | 'logPath'
  | 'start'
  | 'host'
  | 'port'
  | 'maxFrames';

interface AgentOption {
  readonly key: AgentKey;
  /** For people. */
  readonly name: string;
  readonly kind: 'number' | 'text' | 'switch';
  readonly unit?: 'ms';
  /** Range of a number; undefined for other kinds. */
  readonly least?: number;
  readonly most?: number;
  /** Behaviour of the agent without the option. */
  readonly otherwise: string;
  /** Sentences: what it does. */
  readonly help: string;
}

/** The agent computes in 32 bits, in microseconds. */
export const MOST_AGENT_INTERVAL = 2_000_000;
export const MOST_AGENT_FRAMES = 2047;
/** The agent reads a command of its control port with one call. */
export const MOST_AGENT_COMMAND_BYTES = 99;
const DEFAULT_FRAMES = 128;
const DEFAULT_INTERVAL = 1;

/** In the order in which they are written. */
export const AGENT_OPTIONS: readonly AgentOption[] = [
  {
    key: 'interval',
    name: 'Interval',
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: MOST_AGENT_INTERVAL,
    otherwise: '1',
    help: 'CPU time of the whole JVM between two samples. A JVM that waits is not sampled. The system’s timer has steps of 1 to 4 ms. A prime number such as 7 is best: work that repeats at round intervals is then sampled evenly.',
  },
  {
    key: 'intervalMin',
    name: 'Shortest interval',
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: MOST_AGENT_INTERVAL,
    otherwise: '1',
    help: 'Replaces Interval: the interval is random, between the shortest and the longest, and changes about every 200 samples. Work that repeats at regular intervals is then sampled evenly.',
  },
  {
    key: 'intervalMax',
    name: 'Longest interval',
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: MOST_AGENT_INTERVAL,
    otherwise: '1',
    help: 'See the shortest interval.',
  },
  {
    key: 'logPath',
    name: 'Log file',
    kind: 'text',
    otherwise: 'log-<pid>-<milliseconds>.hpl',
    help: 'Where samples are written. A file that exists is overwritten. A relative path is relative to the working directory of the JVM.',
  },
  {
    key: 'maxFrames',
    name: 'Frames of a stack',
    kind: 'number',
    least: 1,
    most: MOST_AGENT_FRAMES,
    otherwise: String(DEFAULT_FRAMES),
    help: 'Deeper stacks lose the callers next to the root. A larger number takes more memory from the start.',
  },
  {
    key: 'start',
    name: 'Start at once',
    kind: 'switch',
    otherwise: '1',
    help: 'On (1): sampling starts with the thread "main". Off (0): it starts by a command to the control port.',
  },
  {
    key: 'host',
    name: 'Control address',
    kind: 'text',
    otherwise: 'no control port',
    help: 'Address at which the agent listens for commands, such as 127.0.0.1. There is no password: anyone who can reach the port can start and stop sampling and choose the log file. Needs a port.',
  },
  {
    key: 'port',
    name: 'Control port',
    kind: 'number',
    least: 1,
    most: 65_535,
    otherwise: 'no control port',
    help: 'Port at which the agent listens for commands. Needs an address.',
  },
];

/** Option -> its value as text; an empty text or none: not given. */
export type AgentSettings = Readonly<Partial<Record<AgentKey, string>>>;

/** A mistake in an option, as a sentence. */
interface AgentProblem {
  readonly key: AgentKey | 'library';
  readonly text: string;
}

interface AgentLine {
  /** The argument of the JVM, quoted for a shell where that is needed. */
  readonly line: string;
  /** Empty if the agent does what the settings say. */
  readonly problems: readonly AgentProblem[];
}

/** The argument of a JVM that loads the agent with these settings. Options that are the agent's own defaults are left out. */
export function agentLine(library: string, settings: AgentSettings): AgentLine {
  const given = new Map<AgentKey, string>();
  for (const { key, otherwise } of AGENT_OPTIONS) {
    const value = (settings[key] ?? '').trim();
    if (value !== '' && value !== otherwise) given.set(key, value);
  }
  const options = [...given].map(([key, value]) => `${key}=${value}`).join(',');
  const argument = `-agentpath:${library}${options === '' ? '' : `=${options}`}`;
  return { line: shellWord(argument), problems: problemsOf(library, settings, given) };
}

function problemsOf(
  library: string,
  settings: AgentSettings,
  given: ReadonlyMap<AgentKey, string>,
): readonly AgentProblem[] {
  const problems: AgentProblem[] = [];
  const report = (key: AgentProblem['key'], text: string): void => void problems.push({ key, text });
  if (library.trim() === '') report('library', 'The path of liblagent.so is missing.');
  if (library.includes('='))
    report('library', 'It must not contain =, because the JVM reads what follows as options.');
  for (const { key, kind, least = 0, most = 0, name } of AGENT_OPTIONS) {
    const value = given.get(key);
    if (value === undefined) continue;
    if (kind === 'number' && !(/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most))
      report(key, `${name} is a whole number from ${least} to ${most}.`);
    if (kind === 'switch' && value !== '0' && value !== '1') report(key, `${name} is 0 or 1.`);
    if (kind === 'text' && value.includes(','))
      report(key, 'It must not contain a comma, because the agent ends the value there.');
    if (kind === 'text' && hasControlCharacter(value)) report(key, 'It contains a control character.');
  }
  const isSet = (key: AgentKey): boolean => (settings[key] ?? '').trim() !== '';
  const hasRange = isSet('intervalMin') || isSet('intervalMax');
  if (isSet('interval') && hasRange)
    report('interval', 'Give either one interval, or the shortest and the longest.');
  const [shortest, longest] = (['intervalMin', 'intervalMax'] as const).map((key) =>
    isSet(key) ? Number(settings[key]) : DEFAULT_INTERVAL,
  );
  if (hasRange && shortest > longest)
    report('intervalMax', 'The longest interval is shorter than the shortest.');
  if (given.has('port') && !given.has('host')) report('host', 'A control port needs an address too.');
  if (given.has('host') && !given.has('port')) report('port', 'A control address needs a port too.');
  if (given.get('start') === '0' && !(given.has('host') && given.has('port')))
    report('start', 'Without a control port, sampling could never start.');
  return problems;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A word of a shell's command line, quoted if it has to be. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Behaviour of the agent with an option line. */
interface AgentConfiguration {
  /** ms */
  readonly intervalMin: number;
  readonly intervalMax: number;
  /** Undefined: the agent chooses the name. */
  readonly logPath: string | undefined;
  readonly start: boolean;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly maxFrames: number;
}

/** The order matters: a key is known by what it begins with. */
const PARSED: readonly AgentKey[] = [
  'intervalMin',
  'intervalMax',
  'interval',
  'logPath',
  'start',
  'host',
  'port',
  'maxFrames',
];

/**
 * Reads an option line as the agent does: a key is known by its beginning, and its value is what follows the next `=`,
 * wherever that is.
 *
 *   interval=7,logPath=/tmp/a.hpl,startle=0      every 7 ms, /tmp/a.hpl, does not start
 */
export function parseAgentOptions(line: string): AgentConfiguration {
  const found = new Map<AgentKey, string>();
  for (let at = 0, comma = 0; comma >= 0; at = comma + 1) {
    comma = line.indexOf(',', at);
    const equals = line.indexOf('=', at);
    const key = PARSED.find((each) => line.startsWith(each, at));
    if (equals < 0 || key === undefined) continue;
    const value = line.slice(equals + 1, comma < 0 ? line.length : Math.max(comma, equals + 1));
    if (key === 'interval') found.set('intervalMin', value).set('intervalMax', value);
    else found.set(key, value);
  }
  const interval = (key: 'intervalMin' | 'intervalMax'): number => {
    const ms = integerOf(found.get(key) ?? String(DEFAULT_INTERVAL));
    return ms > 0 ? ms : DEFAULT_INTERVAL;
  };
  const [a, b] = [interval('intervalMin'), interval('intervalMax')];
  const frames = integerOf(found.get('maxFrames') ?? '');
  const text = (key: AgentKey): string | undefined => (found.get(key) === '' ? undefined : found.get(key));
  return {
    intervalMin: Math.min(a, b),
    intervalMax: Math.max(a, b),
    logPath: text('logPath'),
    start: integerOf(found.get('start') ?? '1') !== 0,
    host: text('host'),
    port: text('port'),
    maxFrames: frames > 0 && frames <= MOST_AGENT_FRAMES ? frames : DEFAULT_FRAMES,
  };
}

/** The number at the beginning of a text, as C's `atoi` reads it: 0 if there is none. */
function integerOf(text: string): number {
  const number = parseInt(text, 10);
  return Number.isNaN(number) ? 0 : number;
}

/** All that an agent tells about itself. Agents of before their settings could be queried tell no numbers. */
export interface AgentState {
  readonly isSampling: boolean;
  /** As the agent names it: relative to the working directory of its JVM. */
  readonly logPath: string;
  /** ms */
  readonly intervalMin?: number | undefined;
  readonly intervalMax?: number | undefined;
  readonly maxFrames?: number | undefined;
}

/** The state of an agent, without its settings. */
export type AgentStatus = Pick<AgentState, 'isSampling' | 'logPath'>;

/** Settings of an agent that can be changed while it does not sample. */
export type AgentChanges = Partial<Omit<AgentState, 'isSampling'>>;
