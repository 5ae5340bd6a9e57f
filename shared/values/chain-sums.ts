import type { Chains } from '../trees/chains.ts';
import { ValueColumns } from './value-columns.ts';
import type { SelfValues } from './self-values.ts';

/**
 * Self and total values of chains. A sample that passes through a node of a chain passes through all of them, and ends
 * at the last node if it ends in the chain.
 */
export class ChainSums extends ValueColumns {
  readonly chains: Chains;

  constructor(chains: Chains) {
    super();
    this.chains = chains;
  }

  /** Sums everything again, because chains are renumbered whenever they grow. Update the chains first. */
  update(values: SelfValues): void {
    this.sum(this.chains, values);
  }
}
