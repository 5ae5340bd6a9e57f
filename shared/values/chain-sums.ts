import type { Chains } from '../trees/chains.ts';
import { ValueColumns } from './value-columns.ts';
import type { SelfValues } from './self-values.ts';

/** Chains summed over self values. Samples end at the last node of a chain and pass through all of them. */
export class ChainSums extends ValueColumns {
  readonly chains: Chains;

  constructor(chains: Chains) {
    super();
    this.chains = chains;
  }

  /** Sums anew, because chains are numbered anew whenever they grow. The chains are updated first. */
  update(values: SelfValues): void {
    this.sum(this.chains, values);
  }
}
