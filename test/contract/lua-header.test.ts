import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCRIPTS } from '../../src/store/redis/scripts.ts';

const folder = new URL('../../src/store/redis/lua/', import.meta.url);
const files = readdirSync(folder).sort();

interface Script {
  readonly first: string;
  /** Comment lines at the head, without their dashes. */
  readonly header: string;
  readonly body: string;
}

function read(file: string): Script {
  const [first = '', ...lines] = readFileSync(new URL(file, folder), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const header = lines.slice(0, end).map((line) => line.slice(2).trim());
  return { first, header: header.join('\n'), body: lines.slice(end).join('\n') };
}

/** Highest fixed index that the body reads of KEYS or ARGV. */
function highestIndex(body: string, name: 'KEYS' | 'ARGV'): number {
  const indices = [...body.matchAll(new RegExp(`${name}\\[(\\d+)\\]`, 'g'))].map(([, index]) =>
    Number(index),
  );
  return Math.max(0, ...indices);
}

describe('the scripts', () => {
  it('are exactly the files that the store runs', () => {
    expect(files).toEqual(
      Object.values(SCRIPTS)
        .map((name) => `${name}.lua`)
        .sort(),
    );
  });

  describe.each(files)('%s', (file) => {
    const { first, header, body } = read(file);
    const writes = /'(SET|DEL|UNLINK|HSET|HDEL|ZADD|ZREM|ZREMRANGEBYSCORE|PEXPIRE)'/.test(body);

    it('begins with the line that makes Redis hold it to its slot, and to reading if that is all it does', () => {
      expect(first).toBe(writes ? '#!lua' : '#!lua flags=no-writes');
    });

    it('says what every key and argument is that it uses, and what it replies', () => {
      for (const name of ['KEYS', 'ARGV'] as const) {
        const highest = highestIndex(body, name);
        const documented = [...header.matchAll(new RegExp(`^${name}\\[(\\d+)(\\.\\.)?\\] +\\S`, 'gm'))];
        const open = documented.find(([, , dots]) => dots !== undefined);
        const last = Math.max(0, ...documented.map(([, index]) => Number(index)));
        expect(documented.map(([, index]) => Number(index))).toEqual(documented.map((_, at) => at + 1));
        if (open === undefined) expect(last).toBe(highest);
        else expect(last).toBeGreaterThanOrEqual(highest);
      }
      expect(header).toMatch(/^Reply +\S/m);
    });

    it('makes no key of its own, and takes the time from the server', () => {
      const calls = [...body.matchAll(/redis\.call\('(\w+)'(?:, ([^,)]+))?/g)];
      expect(calls.length).toBeGreaterThan(0);
      for (const [, command, argument] of calls) {
        if (command === 'TIME' || command === 'PUBSUB') continue;
        expect([command, argument]).toEqual([command, expect.stringMatching(/^(KEYS\[[\w# +]+\]|key)$/)]);
      }
      expect(body).not.toMatch(/os\.|math\.random/);
    });

    it('gives what it writes a time to live, but for the cohorts, which stay until they are deleted', () => {
      if (!writes || file === 'cohort-put.lua') return;
      expect(body).toMatch(/'PX'|'PEXPIRE'/);
    });

    it('replies no fractions, which Redis would cut', () => {
      expect(body.replaceAll('math.floor(time[2] / 1000)', '')).not.toMatch(/ \/ /);
    });
  });
});
