import type { LogFacts } from '../facts/log-facts.ts';
import { type PageLog, pageFacts } from '../page/packed-page.ts';
import { copyOfPart, type Renaming } from '../page/profile-part.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { UNBOUNDED, withinTest } from '../engine/values/time-range.ts';
import { isDate } from '../scope/time-range.ts';
import type { TimedSamples } from '../engine/views/row-times.ts';
import { formatQuantity, formatSpan } from '../text/format-value.ts';
import type { SampledProfile } from '../engine/view-samples.ts';
import type { PageOptions } from './page-options.ts';

/** The part of a log that goes into a page. `shown`: with its scope, or without it if all is to be included. */
export function pageLogOf(
  { profile, values, timed }: SampledProfile,
  { name, facts }: { readonly name: string; readonly facts: LogFacts },
  { threads, times }: PageOptions,
  rename: Renaming | undefined,
): PageLog {
  const isAnonymous = rename !== undefined;
  const hasTimes = times && timed !== undefined;
  const isWhole = values === profile.selfValues && profile.selfValues.isComplete;
  const keepsAll = isWhole && threads && !isAnonymous && hasTimes === (profile.samples !== undefined);
  const copied = keepsAll
    ? profile
    : copyOfPart({ profile, values, timed: hasTimes ? partSamples(timed) : undefined }, { threads, rename });
  return {
    name: isAnonymous ? (name.endsWith(' (base)') ? 'anonymous (base)' : 'anonymous') : name,
    facts: pageFacts(facts, { hasTimes, isAnonymous, isWhole, bounds: timed?.bounds ?? UNBOUNDED }),
    profile: copied,
  };
}

function partSamples({ samples, bounds, leaves }: TimedSamples) {
  const isWithin = bounds === UNBOUNDED ? () => true : withinTest(samples, bounds);
  return { samples, isWithin, leaves };
}

/** `shop.jfr: 2,880 samples of 7 threads, recorded on 2026-03-01 at 10:00 UTC for 40 s (JFR recording)` */
export function aboutPage(logs: readonly PageLog[]): string {
  return logs.map(aboutLog).join(' Compared with ');
}

function aboutLog({ name, facts, profile }: PageLog): string {
  const { units, lastTime, spanNs, formatName } = facts;
  const { one, many } = units.counted;
  const samples = formatQuantity(sumSelfValues(profile.selfValues).samples, one, many);
  const last = lastTime === undefined ? 0n : BigInt(lastTime);
  const first = last - BigInt(Math.round(spanNs ?? 0));
  const date = !isDate(last) ? '' : new Date(Number(first / 1_000_000n)).toISOString();
  const when = date === '' ? '' : `, recorded on ${date.slice(0, 10)} at ${date.slice(11, 16)} UTC`;
  const span = spanNs === undefined ? '' : `${when === '' ? ', recorded' : ''} for ${formatSpan(spanNs)}`;
  return `${name}: ${samples} of ${formatQuantity(profile.threads.length, 'thread')}${when}${span} (${formatName}).`;
}
