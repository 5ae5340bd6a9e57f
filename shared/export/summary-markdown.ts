import { findingsOf } from '../findings/find.ts';
import { PATTERN_TEXTS } from '../engine/views/time-pattern.ts';
import { summaryOf } from '../summary/summary.ts';
import {
  answerText,
  findingMarkdown,
  findingTitle,
  lostText,
  poolsText,
  stepText,
} from '../summary/summary-text.ts';
import { shownLabel, withoutAddress } from '../text/format-frame.ts';
import { capitalised, formatQuantity, formatShare, formatShareRange } from '../text/format-value.ts';
import { ExportRefusal, type ExportWriter } from './export-input.ts';
import { markdownTable, markdownText, type TextTable } from '../text/markdown.ts';
import { LineWriter } from './text-sink.ts';

const HOTTEST = 20;

/** The summary with the hottest methods and the findings, for an issue or a chat. */
export const writeSummaryMarkdown: ExportWriter = ({ told, title, range }, sink) => {
  const asked = told?.();
  if (asked === undefined) throw new ExportRefusal('too early', 'nothing is known of the file yet');
  const { view, facts, project } = asked;
  const summary = summaryOf(view, { facts, own: project.own, most: HOTTEST });
  const { findings, whole, few } = findingsOf({ ...view.samples.recorded, facts, project });
  const { one, many } = facts.units.counted;
  const writer = new LineWriter(sink, 100);
  const paragraph = (text: string): void => {
    writer.line(text);
    writer.line('');
  };
  const table = (heading: string, of: TextTable): void => {
    if (of.rows.length === 0) return;
    paragraph(`**${heading}**`);
    for (const line of markdownTable(of)) writer.line(line);
    writer.line('');
  };
  paragraph(`### ${markdownText(title)}`);
  const answer = answerText(summary);
  paragraph(answer === undefined ? 'No samples.' : `**${markdownText(answer)}.**`);
  const amount = formatQuantity(summary.samples, one, many);
  paragraph(
    markdownText(
      `${amount}${range === undefined ? '' : `, ${range.text} after the first sample`}. Lost: ${lostText(summary)}.`,
    ),
  );
  const percent = (share: number): string => formatShare(share, 1);
  table(whole === undefined ? 'Findings' : `Findings, shares of ${whole}`, {
    header: ['Share', '95 % interval', 'Level', 'Finding', 'Where'],
    rows: findings.map(({ share, level, id, where, ...finding }) => [
      percent(share.value),
      share.low === share.high ? '' : formatShareRange(share.low, share.high),
      level === 'warn' ? '**warning**' : 'note',
      `${id} ${markdownText(findingTitle(finding))}`,
      where[0]?.key ?? '',
    ]),
    textColumns: 3,
  });
  if (few !== undefined) paragraph(`${capitalised(few)}.`);
  for (const finding of findings) if (finding.level === 'warn') writer.line(findingMarkdown(finding));
  if (findings.some(({ level }) => level === 'warn')) writer.line('');
  table('Hot path', {
    header: ['Total', 'Self', 'Calls'],
    rows: summary.path.map((step) => [percent(step.share), percent(step.self), stepText(step)]),
  });
  table('Hottest methods', {
    header: ['Self', 'Total', 'When', 'Threads', 'Method'],
    rows: summary.methods.map((method) => [
      percent(method.self),
      percent(method.total),
      method.when === undefined ? '' : PATTERN_TEXTS[method.when.pattern],
      markdownText(poolsText(method)),
      shownLabel(withoutAddress(method.ref.label)),
    ]),
    textColumns: 3,
  });
  writer.flush();
};
