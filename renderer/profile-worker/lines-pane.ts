import type { LinesSpec, PaneId } from './pane-messages.ts';
import type { Pane, PaneContext } from './pane.ts';

/** The lines of one method in the profile worker. The source itself is not here. */
export class LinesPane implements Pane {
  readonly id: PaneId;
  active = false;
  spec: LinesSpec;
  hold = false;

  readonly #context: PaneContext;

  constructor(id: PaneId, spec: LinesSpec, context: PaneContext) {
    this.id = id;
    this.spec = spec;
    this.#context = context;
  }

  grouping(): undefined {
    return undefined;
  }

  refresh(): void {
    const { view, post } = this.#context;
    post({ type: 'lines', pane: this.id, lines: view.lines(this.spec.method) });
  }

  selectedRow(): undefined {
    return undefined;
  }

  selectionChanged(): void {
    // The window declares another method.
  }
}
