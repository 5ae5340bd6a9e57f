import { zlibSync } from 'fflate';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import type { PageContent } from '../../shared/export/export-input.ts';
import { exportPage } from '../../shared/export/page.ts';
import { collectText } from '../../shared/export/text-sink.ts';
import { packPage, pageFacts } from '../../shared/page/packed-page.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** A page without the code of the window. */
export const SMALL_TEMPLATE =
  '<!doctype html><meta name="generator" content="Leanscope 0.0.0"><title>{{title}}</title><noscript>{{summary}}</noscript><script type="application/octet-stream" id="leanscope-profile">{{profile}}</script>';

/** What a page has of these profiles. */
export function contentOf(...profiles: readonly LeanProfile[]): PageContent {
  const hasTimes = profiles[0].samples !== undefined;
  const facts = pageFacts(
    { ...NO_LOG_FACTS, formatName: 'test', hasSampleTimes: hasTimes },
    { hasTimes, isAnonymous: false, isWhole: true, bounds: { from: undefined, to: undefined } },
  );
  return {
    logs: profiles.map((profile, at) => ({ name: `log ${at}`, facts, profile })),
    texts: { madeBy: '0.0.0', about: 'About.', note: '', view: '' },
  };
}

/** A page with these profiles. */
export function smallPage(...profiles: readonly LeanProfile[]): string {
  return pageOf(contentOf(...profiles));
}

export function pageOf(content: PageContent): string {
  return collectText((sink) => exportPage(content, { template: SMALL_TEMPLATE, title: 'Page' }, sink));
}

/** A page with these data, whose checksum is right, as somebody may make it by hand. `change` edits the packed bytes. */
export function forgedPage(content: PageContent, change: (bytes: Uint8Array) => Uint8Array): string {
  const { logs, texts } = content;
  const bytes = zlibSync(change(packPage(texts, logs)));
  return SMALL_TEMPLATE.replace('{{profile}}', Buffer.from(bytes).toString('base64'));
}
