import { heatmapColumns, type HeatmapMarks } from '../../shared/views/heatmap-columns.ts';
import type { Pane, PaneContext } from './pane.ts';
import type { HeatmapSpec, PaneId } from './pane-messages.ts';

/** The samples by squares of time in the profile worker. A time range does not narrow them: it is chosen among them. */
export class HeatmapPane implements Pane {
  readonly id: PaneId;
  active = false;
  spec: HeatmapSpec;
  hold = false;

  readonly #context: PaneContext;

  constructor(id: PaneId, spec: HeatmapSpec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.#context = context;
  }

  grouping(): undefined {
    return undefined;
  }

  refresh(): void {
    const { views, post } = this.#context;
    const { samples } = views.source;
    const columns =
      samples && heatmapColumns(samples, views.samples.timeOrder(samples), this.spec, this.#marks());
    post({ type: 'heatmap', pane: this.id, columns });
  }

  selectedRow(): undefined {
    return undefined;
  }

  selectionChanged(): void {
    if (this.active) this.refresh();
  }

  #marks(): HeatmapMarks {
    const { views, selection } = this.#context;
    const method = selection?.kind === 'frame' || selection?.kind === 'error' ? selection : undefined;
    const { isOutside, isMatch, isSelected } = views.marks(method);
    return { isOutside, isMatch, isSelected };
  }
}
