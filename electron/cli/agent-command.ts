import {
  AGENT_OPTIONS,
  agentLine,
  type AgentKey,
  type AgentSettings,
  type AgentChanges,
  type AgentState,
} from '../../shared/agent/agent-options.ts';
import { printable } from '../../shared/text/printable.ts';
import {
  AGENT_PARAMETERS,
  type AgentAddress,
  AgentControl,
  type AgentParameter,
} from '../jvm/agent-control.ts';
import { jvmName } from '../jvm/attach.ts';
import { isInOtherNetwork } from '../jvm/process-places.ts';
import { answerJson, CommandError, type CommandIo, type ExitStatus } from './io/command-io.ts';
import { didYouMean, UsageError } from './options/usage-error.ts';
import { COMMANDS } from './options/commands.ts';
import { namedJvm } from './jvms-command.ts';
import { readArguments } from './options/options.ts';

const AGENT_COMMANDS = ['status', 'start', 'stop', 'get', 'set'];
const LIBRARY = '/path/to/liblagent.so';

/** Controls Honest Profiler's agent, or prints its option line. */
export async function agentCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.agent.options);
  const [target, command, ...values] = args.files;
  if (args.files.length === 0)
    throw new UsageError('agent needs a JVM, or the HOST:PORT of its agent, or: options');
  if (target === 'options') return printOptions(args.files.slice(1), args.values.library, io);
  if (args.files.length === 1) throw new UsageError('agent needs a command: status, start, stop, get or set');
  const run = commandOf(command, values);
  io.stdout(await run(new AgentControl(await addressOf(target)), args.values.json));
  return 0;
}

/** Runs a command and resolves to what is printed. */
type RunCommand = (control: AgentControl, asJson: boolean) => Promise<string>;

/** Throws UsageError. */
function commandOf(command: string, values: readonly string[]): RunCommand {
  switch (command) {
    case 'status':
      return async (control, asJson) => stateText(await control.state(), asJson);
    case 'start':
      return async (control) => `sampling into ${printable((await control.start()).logPath)}\n`;
    case 'stop':
      return async (control) => `stopped; the log is ${printable((await control.stop()).logPath)}\n`;
    case 'get': {
      const parameter = parameterOf(values, 1);
      return async (control) => `${printable(await control.get(parameter))}\n`;
    }
    case 'set': {
      const changes = changesOf(parameterOf(values, values.at(0) === 'interval' ? 3 : 2), values.slice(1));
      return async (control) => {
        await control.set(changes);
        return 'set; used from the next start on\n';
      };
    }
    default:
      throw new UsageError(
        `agent has no command '${command}': it is status, start, stop, get or set${didYouMean(command, AGENT_COMMANDS)}`,
      );
  }
}

/** The first of the values, of which there are at most so many. Throws UsageError. */
function parameterOf(values: readonly string[], most: number): AgentParameter {
  const parameter = AGENT_PARAMETERS.find((each) => each === values.at(0));
  if (parameter === undefined) throw new UsageError(`name a parameter: ${AGENT_PARAMETERS.join(', ')}`);
  if (values.length > most) throw new UsageError(`too many values: ${values.slice(most).join(' ')}`);
  return parameter;
}

/** Throws UsageError. */
function changesOf(parameter: AgentParameter, values: readonly string[]): AgentChanges {
  const [value] = values;
  if (values.length === 0) throw new UsageError(`set ${parameter} needs a value`);
  if (parameter === 'logPath') return { logPath: value };
  const bounds = AGENT_OPTIONS.find(({ key }) => key === parameter);
  const numbers = values.map((text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    const { least = 1, most = Infinity } = bounds ?? {};
    if (number >= least && number <= most) return number;
    throw new UsageError(`${parameter} cannot be '${text}': it is a number from ${least} to ${most}`);
  });
  if (parameter !== 'interval') return { [parameter]: numbers[0] };
  const [intervalMin, intervalMax = intervalMin] = numbers;
  if (intervalMax < intervalMin) throw new UsageError('set interval takes the shortest first');
  return { intervalMin, intervalMax };
}

/** Rejects with CommandError. */
async function addressOf(target: string): Promise<AgentAddress> {
  const found = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(target);
  const port = Number(found?.[3] ?? 0);
  if (found !== null && port > 0 && port < 65_536) return { host: found.slice(1, 3).join(''), port };
  const jvm = await namedJvm(target);
  if (jvm.agent === undefined)
    throw new CommandError(`${jvmName(jvm)}: was started without Honest Profiler's agent`);
  if (jvm.agent.control === undefined)
    throw new CommandError(
      `${jvmName(jvm)}: its agent has no control port, which only its options host and port at the start can open`,
    );
  if (isInOtherNetwork(jvm))
    throw new CommandError(
      `${jvmName(jvm)}: the control port of its agent is in the network of its container; give the HOST:PORT at which it can be reached`,
    );
  return jvm.agent.control;
}

function stateText(state: AgentState, asJson: boolean): string {
  const { isSampling, logPath, intervalMin, intervalMax, maxFrames } = state;
  if (asJson) {
    const numbers = { intervalMin, intervalMax, maxFrames };
    const known = Object.entries(numbers).map(([name, value]) => [name, value ?? null] as const);
    return answerJson('agent', { isSampling, logPath, ...Object.fromEntries<number | null>(known) });
  }
  const interval = intervalMin === intervalMax ? `${intervalMin} ms` : `${intervalMin} to ${intervalMax} ms`;
  return [
    `sampling   ${isSampling ? 'yes' : 'no'}\n`,
    `log        ${printable(logPath)}\n`,
    ...(intervalMin === undefined ? [] : [`interval   ${interval}\n`]),
    ...(maxFrames === undefined ? [] : [`maxFrames  ${maxFrames}\n`]),
  ].join('');
}

function printOptions(given: readonly string[], library: string | undefined, io: CommandIo): ExitStatus {
  const settings: Partial<Record<AgentKey, string>> = {};
  for (const text of given) {
    const equals = text.indexOf('=');
    const option = AGENT_OPTIONS.find(({ key }) => key === text.slice(0, Math.max(0, equals)));
    if (option === undefined) throw new UsageError(`'${text}' is no option of the agent: it is KEY=VALUE`);
    settings[option.key] = text.slice(equals + 1);
  }
  const { line, problems } = agentLine(library ?? LIBRARY, settings satisfies AgentSettings);
  if (problems.length > 0)
    throw new UsageError(problems.map(({ key, text }) => `${key}: ${text.replace(/\.$/, '')}`).join('; '));
  io.stdout(`java ${line} …\n`);
  if (given.length > 0) return 0;
  io.stdout('\nThe agent is loaded at the start of a JVM, never later. Its options:\n');
  for (const { key, kind, least, most, unit, otherwise, help } of AGENT_OPTIONS) {
    const range = kind === 'number' ? `${least} to ${most}${unit === undefined ? '' : ` ${unit}`}; ` : '';
    io.stdout(`\n  ${key}\n      ${help}\n      (${range}default ${otherwise})\n`);
  }
  return 0;
}
