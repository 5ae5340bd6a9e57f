import type { Chains } from '../trees/chains.ts';
import { ValueColumns } from './value-columns.ts';
import type { SelfValues } from './self-values.ts';

/**
 * Self and total values of chains. A sample that passes through one node of a chain passes through all of them. If it
 * ends in the chain, it ends at its last node.
 */
export class ChainSums extends ValueColumns {
  readonly chains: Chains;

  constructor(chains: Chains) {
    super();
    this.chains = chains;
  }

  /** Sums everything again, because each update of the chains renumbers them. Update the chains first. */
  update(values: SelfValues): void {
    this.sum(this.chains, values);
  }
}
