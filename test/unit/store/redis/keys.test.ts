import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  idOf,
  Keys,
  memberOf,
  openMember,
  readOpenMember,
  shardOf,
} from '../../../../src/store/redis/keys.ts';

const id = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud83d', '~"\\ud83d"', '=x', '{a}', '0=1', ''),
);
/** What Redis Cluster hashes of a key: what stands between the first braces. */
const tagOf = (key: string) => /\{([^}]+)\}/.exec(key)?.[1];

describe('the keys of a cohort', () => {
  it('give every id a member of its own that leads back to it', () => {
    fc.assert(
      fc.property(id, id, fc.nat(99), (one, other, round) => {
        expect(idOf(memberOf(one))).toBe(one);
        expect(Buffer.from(memberOf(one)).toString()).toBe(memberOf(one));
        expect(memberOf(one) === memberOf(other)).toBe(one === other);
        expect(readOpenMember(openMember(round, memberOf(one)))).toEqual({ round, promptId: one });
      }),
    );
  });

  it('lie in one slot for all that one script changes together, whatever the ids hold', () => {
    fc.assert(
      fc.property(id, (one) => {
        const keys = new Keys('peervote:').cohort('math', 'g1');
        const member = memberOf(one);
        const shard = shardOf(keys, member);
        const together = [shard.index, shard.open, shard.channel, shard.prompt(member)];
        expect(new Set(together.map(tagOf)).size).toBe(1);
        const put = [shard.submissions, shard.submission(member)];
        expect(new Set(put.map(tagOf)).size).toBe(1);
        expect(tagOf(keys.speakers)).toBe(tagOf(keys.activity('a')));
        expect(tagOf(keys.speakers)).toBe(tagOf(keys.channel));
      }),
    );
  });

  it('spread prompts over several slots', () => {
    const keys = new Keys('').cohort('math', 'g1');
    const used = new Set(Array.from({ length: 200 }, (_, at) => shardOf(keys, memberOf(`p${at}`)).index));
    expect(used.size).toBe(keys.shards.length);
  });

  it('are others for another generation of the same name', () => {
    const keys = new Keys('peervote:');
    expect(keys.cohort('math', 'g1').speakers).not.toBe(keys.cohort('math', 'g2').speakers);
    expect(keys.cohort('math', 'g1')).toBe(keys.cohort('math', 'g1'));
  });

  it('have channels that one pattern matches, also behind a prefix with wildcards', () => {
    const keys = new Keys('a*[b]:');
    expect(keys.channelPattern).toBe('a\\*\\[b\\]:{*:notices');
    expect(keys.cohortsChannel).toBe('a*[b]:{cohorts}:notices');
  });
});
