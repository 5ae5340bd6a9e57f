import { heatmapColumns } from '../../shared/engine/views/heatmap-columns.ts';
import { SELECTION_PAUSE_MS, selectedMethod, whatIsMarked } from './marked-samples.ts';
import type { Pane, PaneContext } from './pane.ts';
import type { HeatmapSpec, PaneId } from './pane-messages.ts';

/**
 * The samples by squares of time in the profile worker. A time range does not narrow them: it is chosen among them, and
 * they are not counted again while it is dragged. Neither are they before a selection is answered, but when no other
 * one follows for a while.
 */
export class HeatmapPane implements Pane {
  readonly id: PaneId;
  spec: HeatmapSpec;
  hold = false;

  readonly #context: PaneContext;
  #active = false;
  /** A refresh that is due. */
  #due: ReturnType<typeof setTimeout> | undefined;
  /** The state that the window knows, as JSON. */
  #reported = '';

  constructor(id: PaneId, spec: HeatmapSpec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.#context = context;
  }

  get active(): boolean {
    return this.#active;
  }

  set active(active: boolean) {
    this.#active = active;
    if (active) return;
    this.#reported = '';
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  grouping(): undefined {
    return undefined;
  }

  refresh(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    const { view, post, selection } = this.#context;
    const { samples } = view.source;
    const method = selectedMethod(selection);
    const reported = JSON.stringify([this.spec, whatIsMarked(view, method)]);
    if (reported === this.#reported) return;
    // Marks of samples that came after the state began are known in the next one: then all is counted again.
    this.#reported = view.samples.hasAllSamples ? reported : '';
    const columns =
      samples &&
      heatmapColumns(samples, view.samples.timeOrder(samples), this.spec, view.samples.marks(method));
    post({ type: 'heatmap', pane: this.id, columns });
  }

  finish(): void {
    if (this.#due !== undefined) this.refresh();
  }

  selectedRow(): undefined {
    return undefined;
  }

  selectionChanged(): void {
    if (!this.active) return;
    clearTimeout(this.#due);
    this.#due = setTimeout(() => this.refresh(), SELECTION_PAUSE_MS);
  }
}
