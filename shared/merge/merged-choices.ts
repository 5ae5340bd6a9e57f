import {
  type Choice,
  chosenText,
  MERGED_THREADS_CHOICE,
  type MergedThreads,
  sampleTypeChoice,
} from '../facts/choice.ts';

/** Stands for the sample types of logs that are read with different ones. */
const DIFFERENT = '';

/** What can be chosen of logs with these choices when they are merged. */
export function mergedChoices(
  logs: readonly (readonly Choice[])[],
  threads: MergedThreads,
): readonly Choice[] {
  return [threadsChoice(threads), ...commonSampleTypes(logs)];
}

function threadsChoice(chosen: MergedThreads): Choice {
  return {
    id: MERGED_THREADS_CHOICE,
    name: 'Threads',
    hint: 'By log: the name of the log is in front of the names of its threads. Together: threads of one name are one.',
    kind: 'one',
    options: [
      { value: 'groups', text: 'By log' },
      { value: 'together', text: 'Together' },
    ],
    chosen,
  };
}

/** The types that all logs have; none if one of them has no sample types. */
function commonSampleTypes(logs: readonly (readonly Choice[])[]): readonly Choice[] {
  const choices = logs.flatMap((ofLog) => sampleTypeChoice(ofLog) ?? []);
  const [first, ...others] = choices;
  if (choices.length < logs.length || choices.length === 0) return [];
  const options = first.options.filter(({ value }) =>
    others.every((choice) => choice.options.some((option) => option.value === value)),
  );
  const chosen = chosenText(first);
  const areAlike = others.every((choice) => chosenText(choice) === chosen);
  return [
    {
      ...first,
      hint: `${first.hint} It is chosen for each of the logs, in their own tabs, too.`,
      options: areAlike ? options : [{ value: DIFFERENT, text: 'As chosen in each log' }, ...options],
      chosen: areAlike ? chosen : DIFFERENT,
    },
  ];
}
