import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import { stackCells } from './stack-cells.ts';

/** One sample per name: the name of its thread, class and method. */
export function hostileProfile(names: readonly string[]): ProfileAggregator {
  const aggregator = new ProfileAggregator();
  names.forEach((name, at) => {
    const thread = aggregator.thread(0, at);
    aggregator.nameThread(thread, name);
    aggregator.openThread(thread);
    aggregator.defineMethod(aggregator.method(0, at), { file: name, className: name, methodName: name });
    aggregator.sample(thread, stackCells([0, at, at, 0]), 1, 1_000);
  });
  return aggregator;
}
