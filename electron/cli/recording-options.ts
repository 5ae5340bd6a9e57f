import {
  RECORDED_TYPES,
  type RecordedType,
  RECORDING_SETTINGS,
  type RecordingSettingsName,
} from '../../shared/facts/recording-choice.ts';
import { choiceValue, type OptionSpecs, type ParsedArguments } from './arguments.ts';
import { UsageError } from './command-io.ts';
import { didYouMean } from './did-you-mean.ts';

/** How a flight recording is started. */
export const RECORDING_OPTIONS: OptionSpecs = {
  '--settings': {
    value: RECORDING_SETTINGS.join('|'),
    choices: RECORDING_SETTINGS,
    help: "jfr: the JDK's settings of this name (default profile: a sample every 10 or 20 ms)",
  },
  '--types': {
    value: 'TYPE,…',
    help: `jfr: sample these types only: ${RECORDED_TYPES.join(', ')} (default: all but cpu-time, which needs Linux and JDK 25)`,
  },
};

export interface RecordingOptions {
  readonly settings: RecordingSettingsName;
  /** Undefined: those of the settings. */
  readonly types: readonly RecordedType[] | undefined;
}

/** Settings from RECORDING_OPTIONS. Throws UsageError. */
export function recordingOf(args: ParsedArguments): RecordingOptions {
  const settings = choiceValue(args, '--settings', RECORDING_SETTINGS, 'profile');
  const given = args.value('--types')?.split(',');
  const known: readonly string[] = RECORDED_TYPES;
  const unknown = given?.find((type) => !known.includes(type));
  if (unknown !== undefined)
    throw new UsageError(
      `--types cannot be '${unknown}': it is one or more of ${RECORDED_TYPES.join(', ')}${didYouMean(unknown, known)}`,
    );
  return { settings, types: given && RECORDED_TYPES.filter((type) => given.includes(type)) };
}
