import type { Answer } from '../../shared/answers/answer.ts';
import type { FindingLevel, FindingsAnswer, FindingsProject } from '../../shared/findings/finding.ts';
import { findingsOf } from '../../shared/findings/find.ts';
import { findingsText } from '../../shared/findings/findings-text.ts';
import { answerJson, type CommandIo, type ExitStatus, writeMessage } from './command-io.ts';
import { type AskedProfile, askProfile, questionOf } from './ask-profile.ts';
import { COMMANDS } from './commands.ts';
import { readArguments } from './options.ts';
import { projectOf } from './project-of.ts';

/** Prints what is wrong in a profile, with how sure that is. */
export async function findingsCommand(argv: readonly string[], io: CommandIo): Promise<ExitStatus> {
  const args = readArguments(argv, COMMANDS.findings.options);
  const { json, project, frames, checks, limit } = args.values;
  const known = projectOf(project);
  const question = questionOf('findings', args, { frames, keys: frames });
  const asked = await askProfile({ ...question, wantsTimes: true }, io);
  const { read, emptied } = asked;
  const { data, text } = findingsAnswer(asked, { project: known, only: checks, limit });
  io.stdout(json ? answerJson('findings', { file: read.paths[0], ...data }) : coloured(text, io));
  for (const problem of read.problems) writeMessage(io, problem);
  if (emptied !== undefined) {
    writeMessage(io, emptied);
    return 1;
  }
  if (args.values['fail-on'] === undefined) return read.status;
  return data.levels.warn > 0 || (args.values['fail-on'] === 'info' && data.levels.info > 0)
    ? 4
    : read.status;
}

/** Warnings are yellow. */
function coloured(text: string, { hasColour = false }: CommandIo): string {
  return hasColour ? text.replaceAll(/^WARN(?= )/gm, '\u001b[1;33mWARN\u001b[0m') : text;
}

/** Findings as they are told. */
export interface ToldFindings extends FindingsAnswer {
  /** All that were found. */
  readonly levels: Readonly<Record<FindingLevel, number>>;
  readonly leftOut: { readonly findings: number };
}

/** The findings of a profile. `limit`: most of them that are told. */
export function findingsAnswer(
  { view, read }: AskedProfile,
  {
    project,
    only,
    limit,
  }: {
    readonly project: FindingsProject;
    readonly only?: readonly string[] | undefined;
    readonly limit: number;
  },
): Answer<ToldFindings> {
  const found = findingsOf({ ...view.samples.recorded, facts: read.facts, project, only });
  const count = (level: FindingLevel): number =>
    found.findings.filter((finding) => finding.level === level).length;
  const findings = found.findings.slice(0, limit);
  const leftOut = found.findings.length - findings.length;
  const data = {
    ...found,
    findings,
    levels: { warn: count('warn'), info: count('info') },
    leftOut: { findings: leftOut },
  };
  const more = leftOut === 0 ? '' : `${leftOut} more findings: a larger limit shows them.\n`;
  return { data, text: findingsText({ ...found, findings }, data.levels) + more };
}
