import { assert } from '../../../shared/assert.ts';
import type { MethodRef } from '../../../shared/engine/query.ts';
import type { Finding, FindingsAnswer } from '../../../shared/findings/finding.ts';
import { findingsInSteps } from '../../../shared/findings/find.ts';
import { type Changes, changesOf } from '../../../shared/summary/changes.ts';
import { type Summary, summaryOf } from '../../../shared/summary/summary.ts';
import type { ProfileView } from '../../../shared/engine/profile-view.ts';
import { areEqual, type AskedView, DeferredPane, textOfQuery } from './deferred-pane.ts';
import type { AnswerSpec } from '../pane-specs.ts';

interface Made {
  /** Undefined where nothing is compared. */
  readonly changes: Changes | undefined;
  readonly summary: Summary;
  /** It is of a log that was still being read. */
  readonly isOfPart: boolean;
  /** The findings, which are those of before until they are looked for again. */
  readonly findings: FindingsAnswer | undefined;
}

/** The summary in the profile worker: what is counted first, and then the findings, which take a second on a large profile. */
export class SummaryPane extends DeferredPane<AnswerSpec> {
  #made: Made | undefined;
  /** The question that the findings answer; see `#askedFindings`. */
  #foundFor: readonly unknown[] = [];
  /** Questions so far. */
  #asked = 0;
  /** Findings in the order in which they appeared, which growth does not change. */
  #order: string[] = [];

  override refresh(): void {
    if (this.context.known !== undefined) super.refresh();
  }

  /** Methods are named as the view groups them, and a search changes nothing. */
  protected asked(): AskedView {
    const { view, known } = this.context;
    const { source, other } = view.inputs;
    return {
      view: this.context.alone(),
      question: [textOfQuery(view.query), source, other],
      version: [source.revision, other?.revision, known],
    };
  }

  protected override keep(): void {
    if (this.#made === undefined || this.#made.isOfPart === this.isOfPart) return;
    this.#made = { ...this.#made, isOfPart: this.isOfPart };
    this.#post(this.#made, false);
  }

  protected override outdated(): void {
    this.#asked++;
    this.#order = [];
    if (this.#made !== undefined) this.#post(this.#made, true);
  }

  protected *make(view: ProfileView): Iterable<undefined> {
    const { known } = this.context;
    assert(known !== undefined, 'a summary is asked for with the facts of its log');
    const { facts, project } = known;
    const { own } = project;
    const changes = changesOf(this.context.view, { own, units: facts.units });
    const summary = summaryOf(view, { facts, own });
    const { isOfPart } = this;
    const asked = this.#askedFindings();
    const isFound = areEqual(asked, this.#foundFor);
    this.#made = { changes, summary, isOfPart, findings: this.#made?.findings };
    this.#post(this.#made, !isFound);
    if (isFound) {
      this.keepOrder();
      return;
    }
    yield undefined;
    // Views of an earlier state must not be asked any more.
    const { recorded } = this.context.alone().samples;
    const findings = yield* findingsInSteps({ ...recorded, facts, project });
    const ordered = { ...findings, findings: this.#inOrder(findings.findings) };
    this.#made = { changes, summary, isOfPart, findings: ordered };
    this.#foundFor = asked;
    this.#post(this.#made, false);
  }

  /**
   * Findings are about the recorded stacks of the samples in scope: how rows are grouped, named and measured, and whether
   * samples without a stack count, does not change them. Compared by identity.
   */
  #askedFindings(): readonly unknown[] {
    const { query, inputs } = this.context.alone();
    const { scope, attribute } = query;
    // Transforms name frames as they are grouped.
    const frames = scope.transforms.length === 0 ? undefined : query.frames;
    const { source } = inputs;
    return [JSON.stringify({ scope, attribute, frames }), source, source.revision, this.context.known];
  }

  /** Findings on screen keep their places from now on, unless those of the whole log are being made. */
  keepOrder(): void {
    if (!this.isDue) this.#inOrder(this.#made?.findings?.findings ?? []);
  }

  /** Findings that were there before stay in their places, and others follow, once all of the log was read. */
  #inOrder(findings: readonly Finding[]): readonly Finding[] {
    if (this.context.isReading && this.#order.length === 0) return findings;
    const nameOf = ({ id, subject = '' }: Finding): string => `${id} ${subject}`;
    for (const finding of findings)
      if (!this.#order.includes(nameOf(finding))) this.#order.push(nameOf(finding));
    return findings.toSorted((a, b) => this.#order.indexOf(nameOf(a)) - this.#order.indexOf(nameOf(b)));
  }

  #post({ changes, summary, isOfPart, findings }: Made, isPending: boolean): void {
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
      isOfPart,
      asked: this.#asked,
    });
  }
}
