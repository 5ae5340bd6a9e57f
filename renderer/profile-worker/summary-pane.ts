import type { MethodRef } from '../../shared/engine/query.ts';
import type { Finding, FindingsAnswer } from '../../shared/findings/finding.ts';
import { findingsInSteps } from '../../shared/findings/find.ts';
import { type Changes, changesOf } from '../../shared/summary/changes.ts';
import { type Summary, summaryOf } from '../../shared/summary/summary.ts';
import { textOfQuery } from './deferred-pane.ts';
import { GrowthPace } from './growth-pace.ts';
import { Pane } from './pane.ts';
import type { AnswerSpec } from './pane-specs.ts';

/** While a log grows, its summary is made again so often at most. */
const GROWTH_PAUSE_MS = 2_000;
/** A summary takes at most one of so many parts of the time while a log grows. */
const SHARE_OF_TIME = 10;
/** A summary that growth has interrupted so often is made at once. */
const MOST_INTERRUPTIONS = 3;

interface Made {
  /** Undefined where nothing is compared. */
  readonly changes: Changes | undefined;
  readonly summary: Summary;
  /** The findings, which are those of before until they are looked for again. */
  readonly findings: FindingsAnswer | undefined;
}

/**
 * The summary in the profile worker. On a large profile it takes a second: it is made in parts, each a task of its own, so
 * that what the user asks for meanwhile is answered between them. Another state of the profile begins it anew.
 */
export class SummaryPane extends Pane<AnswerSpec> {
  #due: ReturnType<typeof setTimeout> | undefined;
  #parts: Iterator<undefined> | undefined;
  #made: Made | undefined;
  /** What the last summary was asked for, as JSON: only growth may wait. */
  #madeFor = '';
  readonly #pace = new GrowthPace(GROWTH_PAUSE_MS, SHARE_OF_TIME);
  #interruptions = 0;
  #asked = 0;
  /** Findings in the order in which they appeared, which growth does not change. */
  #order: string[] = [];

  refresh(): void {
    const { view, known } = this.context;
    if (known === undefined) return;
    const wasRunning = this.#parts !== undefined;
    this.stop();
    const madeFor = textOfQuery(view.query);
    const isGrowth = madeFor === this.#madeFor;
    if (!isGrowth) {
      this.#madeFor = madeFor;
      this.#asked++;
      this.#order = [];
      this.#interruptions = 0;
      if (this.#made !== undefined) this.#post(this.#made, true);
    } else if (wasRunning && ++this.#interruptions >= MOST_INTERRUPTIONS) {
      this.#parts = this.#make();
      return this.finish();
    }
    this.#due = setTimeout(() => this.#work(), isGrowth ? this.#pace.wait : 0);
  }

  override finish(): void {
    if (this.#due === undefined && this.#parts === undefined) return;
    clearTimeout(this.#due);
    this.#due = undefined;
    const parts = this.#parts ?? this.#make();
    while (parts.next().done !== true);
    this.#parts = undefined;
  }

  protected override stop(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#parts = undefined;
  }

  #work(): void {
    this.#parts ??= this.#make();
    this.#due = undefined;
    if (this.#parts.next().done === true) this.#parts = undefined;
    else this.#due = setTimeout(() => this.#work(), 0);
  }

  *#make(): Generator<undefined, undefined, undefined> {
    const { known } = this.context;
    if (known === undefined) return undefined;
    const { facts, project } = known;
    const view = this.context.alone();
    const began = performance.now();
    const { own } = project;
    const changes = changesOf(this.context.view, { own, units: facts.units });
    const summary = summaryOf(view, { facts, own });
    const before = this.#made;
    this.#made = { changes, summary, findings: before?.findings };
    this.#post(this.#made, true);
    yield undefined;
    const findings = yield* findingsInSteps({ ...view.samples.recorded, facts, project });
    this.#made = { changes, summary, findings: { ...findings, findings: this.#inOrder(findings.findings) } };
    this.#post(this.#made, false);
    this.#pace.made(began);
    this.#interruptions = 0;
    return undefined;
  }

  /** Findings on screen keep their places from now on, unless those of the whole log are being made. */
  keepOrder(): void {
    const isMaking = this.#due !== undefined || this.#parts !== undefined;
    if (!isMaking) this.#inOrder(this.#made?.findings?.findings ?? []);
  }

  /** Findings that were there before stay in their places, and others follow, once all of the log was read. */
  #inOrder(findings: readonly Finding[]): readonly Finding[] {
    if (this.context.isReading && this.#order.length === 0) return findings;
    const nameOf = ({ id, subject = '' }: Finding): string => `${id} ${subject}`;
    for (const finding of findings)
      if (!this.#order.includes(nameOf(finding))) this.#order.push(nameOf(finding));
    return findings.toSorted((a, b) => this.#order.indexOf(nameOf(a)) - this.#order.indexOf(nameOf(b)));
  }

  #post({ changes, summary, findings }: Made, isPending: boolean): void {
    const targets: Record<string, MethodRef> = {};
    const { view } = this.context;
    const keys = view.keys(view.query.keys);
    for (const { show, where } of findings?.findings ?? [])
      for (const label of [show.select, where[0]?.key]) {
        const key = label === undefined ? -1 : keys.find(label);
        if (label !== undefined && key >= 0)
          targets[label] = { of: 'methods', id: view.idOfFrame(keys.firstFrame[key]), label };
      }
    this.context.post({
      type: 'answer',
      pane: this.id,
      changes,
      summary,
      findings,
      targets,
      isPending,
      asked: this.#asked,
    });
  }
}
