import { ComparedWidths } from '../../shared/compare/compared-widths.ts';
import type { KeyTable } from '../../shared/trees/keys.ts';
import { LabelOrder } from '../../shared/trees/label-order.ts';
import { ComparedRows } from '../../shared/values/compared-rows.ts';
import type { Metric } from '../../shared/values/metric.ts';
import type { RowValues } from '../../shared/values/row-sums.ts';
import { FlameMeasures } from '../../shared/views/flame-measures.ts';

/** The measures of the flame graphs of one profile: those of a tree stay while its values change. */
export class MeasuredRows {
  readonly #measures = new WeakMap<RowValues, FlameMeasures>();
  readonly #orders = new WeakMap<KeyTable, LabelOrder>();

  of(sums: RowValues, metric: Metric): FlameMeasures {
    if (sums instanceof ComparedRows) return this.#ofBoth(sums, metric);
    let measures = this.#measures.get(sums);
    if (measures?.metric !== metric) {
      measures = new FlameMeasures(sums, metric, (keys) => this.#orderOf(keys));
      this.#measures.set(sums, measures);
    }
    measures.update();
    return measures;
  }

  drop(sums: RowValues): void {
    this.#measures.delete(sums);
  }

  #ofBoth(sums: ComparedRows, metric: Metric): FlameMeasures {
    const { base, scale } = sums.compared;
    const widths = new ComparedWidths({ base, next: sums }, metric, () => scale);
    const measures = new FlameMeasures(widths, 'samples', (keys) => this.#orderOf(keys));
    measures.update();
    return measures;
  }

  #orderOf(keys: KeyTable): LabelOrder {
    const order = this.#orders.get(keys) ?? new LabelOrder(keys);
    this.#orders.set(keys, order);
    return order;
  }
}
