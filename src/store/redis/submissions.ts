import type { AgentName, Cohort } from '../../domain/cohort.ts';
import type { SubmissionRecord } from '../store.ts';
import { type Caller, callScript, readAs, runOne } from './call.ts';
import { type CheckedList, parseList } from './checked-list.ts';
import { memberOf, shardOf } from './keys.ts';
import type { KnownCohort } from './known-cohort.ts';
import { readText } from './tokens.ts';

/** What submission ids stand for, each until its time is over. */
export class Submissions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async put({ keys }: KnownCohort, cohort: Cohort, id: string, record: SubmissionRecord): Promise<void> {
    const member = memberFor(record.agent, id);
    const shard = shardOf(keys, member);
    const ttl = cohort.barrier.deadlineMs + cohort.retentionMs;
    await runOne(
      this.#caller,
      callScript(
        'submissionPut',
        [shard.submission(member), shard.submissions],
        [this.#caller.now(), ttl, member, encode(record)],
      ),
    );
  }

  async get({ keys }: KnownCohort, agent: AgentName, id: string): Promise<SubmissionRecord | null> {
    const member = memberFor(agent, id);
    const key = shardOf(keys, member).submission(member);
    const reply = await runOne(this.#caller, callScript('valuesRead', [key], [this.#caller.now()]));
    const [, now, found] = reply as [string, number, unknown];
    return readAs(this.#caller, key, () => {
      const value = readText(found);
      if (value === null) return null;
      const at = value.indexOf(' ');
      return Number(value.slice(0, at)) > now ? decode(parseList(value.slice(at + 1))) : null;
    });
  }
}

function memberFor(agent: AgentName, id: string): string {
  return memberOf(`${agent}/${id}`);
}

function encode({ agent, incarnation, recordedAt, groups }: SubmissionRecord): string {
  const rows = groups.map((group) => [group.promptId, group.round, group.incarnation, ...group.rolloutIds]);
  return JSON.stringify([agent, incarnation, recordedAt, rows]);
}

function decode(whole: CheckedList): SubmissionRecord {
  return {
    agent: whole.text(0),
    incarnation: whole.textOrNull(1),
    recordedAt: whole.number(2),
    groups: whole
      .list(3)
      .lists()
      .map((row) => ({
        promptId: row.text(0),
        round: row.number(1),
        incarnation: row.textOrNull(2),
        rolloutIds: Array.from({ length: row.length - 3 }, (_, at) => row.text(at + 3)),
      })),
  };
}
