import { assert } from '../assert.ts';
import type { ExportWriter, PageContent } from './export-input.ts';
import { packedText } from './packed-text.ts';
import { type TextSink, xmlText } from './text-sink.ts';
import type { ComparisonWriter } from './written-comparison.ts';

export const writePage: ExportWriter = ({ carried, template, title }, sink) => {
  assert(carried !== undefined && template !== undefined, 'the caller has packed the profile for a page');
  exportPage(carried, { template, title }, sink);
};

export const writeComparedPage: ComparisonWriter = ({ input: { carried, template, title } }, sink) => {
  assert(carried !== undefined && template !== undefined, 'the caller has packed the profiles for a page');
  exportPage(carried, { template, title }, sink);
};

interface PageTexts {
  /** The built page, with a place for each of its texts. */
  readonly template: string;
  readonly title: string;
}

/**
 * The window itself with its profiles in one HTML file, which opens from a disk without any network. Names are in it as
 * packed data, and for readers without scripts as escaped text.
 */
export function exportPage(content: PageContent, { template, title }: PageTexts, sink: TextSink): void {
  const places: Readonly<Record<string, () => Iterable<string>>> = {
    title: () => [xmlText(title)],
    summary: () => [summaryOf(content)],
    profile: () => packedText(content),
  };
  // Every second part is the name of a place.
  const parts = template.split(/\{\{(title|summary|profile)\}\}/);
  for (const [at, part] of parts.entries())
    for (const piece of at % 2 === 0 ? [part] : places[part]()) sink(piece, (at + 1) / parts.length);
}

function summaryOf({ texts, hottest = '' }: PageContent): string {
  const note = texts.note === '' ? '' : `<p>${xmlText(texts.note)}</p>`;
  return `<p>${xmlText(texts.about)}</p>${note}<p>Methods with most samples. With scripts allowed, this page shows all of the profile.</p><pre>${textLines(hottest)}</pre>`;
}

/** Text with its line breaks. */
function textLines(text: string): string {
  return text.trimEnd().split('\n').map(xmlText).join('\n');
}
