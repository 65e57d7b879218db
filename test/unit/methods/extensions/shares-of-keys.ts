import { countVotes, type Vote } from '../../../../src/domain/vote.ts';
import { type Shares, sharesOf } from '../../../../src/methods/extensions/shares.ts';

export type Keys = readonly (string | null)[];

/** The paper's vote over these keys, in this order. */
export function countKeys(keys: Keys): Vote {
  return countVotes(
    keys.map((key, index) => ({ key, answer: key, index })),
    { threshold: 0, denominator: 'parseable', minVotes: 1, tie: 'first', allowEmptyVote: false },
    { promptId: 'p', round: 0 },
  );
}

export function sharesOfKeys(keys: Keys): Shares {
  return sharesOf(countKeys(keys));
}
