import type {
  ArrivalContext,
  ArrivalOutcome,
  Arrived,
  GroupArrival,
  Relations,
  Slot,
  TimedArrival,
  TruthDispute,
} from './arrival.ts';
import {
  type Bucket,
  emptyBucket,
  type Group,
  goneFrom,
  isDecided,
  memberIn,
  type Rollout,
  type Truth,
  votersOf,
  withGroup,
} from './bucket.ts';
import { chooseRound, isNewIncarnation, isVoteUsed } from './choose-round.ts';
import type { Agent, AgentName } from './cohort.ts';
import { decideGroup, openGroup, settleArrivals } from './decide.ts';
import { findStored } from './find-stored.ts';
import { MOST_ROUNDS, type PromptState, withBucket, withRoomFor, withVisit } from './prompt-state.ts';
import { noteAsked } from './proves-another.ts';

/**
 * A group holds at most this many times its K, so that a trainer that sends new ids for one round for ever
 * fills no memory. It leaves room for the replays of several restarts.
 */
const MOST_TIMES_K = 16;

/**
 * Takes part of a group into the state of its prompt: the one place where rollouts enter. Running it
 * twice with the same arrival changes nothing the second time, so every store may retry it.
 * `now` is the store's clock in milliseconds.
 */
export function receive(
  known: PromptState,
  sent: GroupArrival,
  sender: ArrivalContext,
  now: number,
): Arrived {
  const { pausesMs } = sent;
  const arrival: TimedArrival = pausesMs === undefined ? sent : { ...sent, asking: { now, pausesMs } };
  const { incarnation, step } = sender;
  const round = chooseRound(known, arrival, sender);
  const refuse = (outcome: ArrivalOutcome): Arrived => ({ prompt: known, outcome });
  const prompt = withRoomFor(known, round);
  if (prompt === null) {
    return refuse({ kind: 'too-many-rounds', promptId: known.promptId, limit: MOST_ROUNDS, round });
  }
  const before: Bucket = begin(
    prompt.rounds.get(round) ?? emptyBucket(prompt.promptId, round, sender.cohort),
    sender,
  );
  const context = { ...sender, ...memberIn(before, sender) };
  const { agent, cohort } = context;
  const { barrier } = cohort;
  const dispute = disputeOf(before.truth, arrival.truth);
  if (dispute !== null && context.paysByTruth(cohort))
    return refuse({ kind: 'truth-conflict', ...dispute, round });
  const first = before.truth ?? arrival.truth;
  const isNew = dispute !== null && first !== null && first.disputedBy === undefined;
  const truth = isNew ? { ...first, disputedBy: dispute.sent } : first;
  const own = currentGroup(prompt, before, context, now);
  const placed = placeRollouts(own, arrival, context);
  if (placed.kind === 'conflict') {
    return refuse({ kind: 'rollout-conflict', rolloutId: placed.rolloutId, round });
  }
  const limit = own.k * MOST_TIMES_K;
  if (placed.rollouts.length > limit) return refuse({ kind: 'overfull', limit, round });
  const settled = settleArrivals({ ...own, rollouts: placed.rollouts }, barrier.quorum, now);
  const group = context.finished.has(agent.name) ? decideGroup(settled, 'finish', now) : settled;

  let bucket = withGroup({ ...before, truth }, group);
  if (barrier.mode === 'last-label') bucket = fixBasis(prompt, bucket, group, context);
  else bucket = openTeachers(prompt, bucket, context, now);

  const { slots, added } = placed;
  const decided = newlyDecided(withGroup(before, own), bucket);
  const next = withVisit(withBucket(prompt, bucket, decided), agent.name, { round, incarnation, step });
  return {
    prompt: next,
    outcome: { kind: 'stored', bucket, slots, added, decided, ...(dispute !== null && { dispute }) },
  };
}

/** Both truths, where the second contradicts the first. */
function disputeOf(stored: Truth | null, sent: Truth | null): TruthDispute | null {
  if (stored === null || sent === null || stored.key === sent.key) return null;
  // The same text read under other settings.
  if (stored.text === sent.text) return null;
  return { stored: stored.text, sent: sent.text };
}

/** A bucket that was only skipped in, or is only waited in, begins now, by the settings and the plan of now. */
function begin(bucket: Bucket, { cohort: settings, plan }: ArrivalContext): Bucket {
  for (const { rollouts } of bucket.groups.values()) if (rollouts.length > 0) return bucket;
  return { ...bucket, settings, plan };
}

/** The groups that are decided in `after` and were not in `before`. */
function newlyDecided(before: Bucket, after: Bucket): AgentName[] {
  const decided: AgentName[] = [];
  for (const [agent, group] of after.groups) {
    if (isDecided(group) && !isDecided(before.groups.get(agent))) decided.push(agent);
  }
  return decided;
}

/**
 * The agent's group, opened if need be. After a restart the old answers make room for the new ones as
 * long as nobody was scored against them; once somebody was, they stay and the new ones get no vote.
 */
function currentGroup(prompt: PromptState, bucket: Bucket, context: ArrivalContext, now: number): Group {
  const { agent, incarnation, step, cohort } = context;
  const fresh = () =>
    openGroup({
      agent: agent.name,
      k: agent.k,
      incarnation,
      step,
      now,
      deadlineMs: cohort.barrier.deadlineMs,
      previous: previousOf(prompt, bucket.round, agent.name, context),
    });
  const group = bucket.groups.get(agent.name);
  if (group === undefined) return fresh();
  if (group.state === 'open' && group.rollouts.length === 0) return { ...group, incarnation, step };
  if (!isNewIncarnation(group.incarnation, incarnation)) return group;
  if (isVoteUsed(bucket, group, context)) return group;
  return group.state === 'open'
    ? { ...group, incarnation, step, quorumAt: null, rollouts: [] }
    : { ...fresh(), basis: group.basis, previous: group.previous };
}

type Placed =
  | {
      readonly kind: 'placed';
      readonly rollouts: readonly Rollout[];
      readonly slots: readonly Slot[];
      readonly added: number;
    }
  | { readonly kind: 'conflict'; readonly rolloutId: string };

function placeRollouts(
  group: Group,
  { rollouts: sent, asking }: TimedArrival,
  context: ArrivalContext,
): Placed {
  const rollouts = [...group.rollouts];
  const slots: Slot[] = [];
  const { holder, step } = context;
  const incarnation = context.incarnation ?? group.incarnation;
  const taken = new Set<number>();
  let votes = votersOf(group).length;
  for (const arriving of sent) {
    const anonymous = arriving.id === null;
    const at = findStored(rollouts, arriving, { incarnation, holder, asking }, taken);
    const known = rollouts[at];
    if (known === undefined) {
      const late = group.state !== 'open' || votes >= group.k;
      if (!late) votes++;
      const id = arriving.id ?? `~${rollouts.length}`;
      taken.add(rollouts.length);
      const { index, answer, key, digest, tokens, truncated, signals } = arriving;
      // Written out: V8 gives each object made by spreading another a hidden class of its own, of 400 bytes.
      rollouts.push({
        id,
        index,
        incarnation,
        step,
        answer,
        key,
        digest,
        tokens,
        truncated,
        late,
        anonymous,
        holder: anonymous ? holder : null,
        askedAt: anonymous && asking !== undefined ? noteAsked(null, asking) : null,
        signals,
      });
      slots.push({ id, incarnation });
      continue;
    }
    if (known.digest !== arriving.digest) return { kind: 'conflict', rolloutId: known.id };
    // What this connection holds already is the same call once more.
    const again = anonymous && known.holder !== holder;
    if (again)
      rollouts[at] = {
        ...known,
        holder,
        askedAt: asking === undefined ? null : noteAsked(known.askedAt, asking),
      };
    taken.add(at);
    slots.push({ id: known.id, incarnation });
  }
  return { kind: 'placed', rollouts, slots, added: rollouts.length - group.rollouts.length };
}

/**
 * From now on the teachers are waited for, and their deadlines run. Where one of them has left, the ring closes, and who
 * comes after it is waited for instead.
 */
function openTeachers(prompt: PromptState, bucket: Bucket, context: ArrivalContext, now: number): Bucket {
  let opened = bucket;
  const { deadlineMs } = context.cohort.barrier;
  for (;;) {
    const { teachers } = context.relationsOf(context, bucket.plan, goneFrom(opened));
    const missing = teachers.filter(({ name }) => !opened.groups.has(name));
    for (const { name, k } of missing) {
      const previous = previousOf(prompt, bucket.round, name, context);
      const group = openGroup({ agent: name, k, incarnation: null, step: null, now, deadlineMs, previous });
      opened = withGroup(opened, context.finished.has(name) ? decideGroup(group, 'finish', now) : group);
    }
    if (!missing.some(({ name }) => context.finished.has(name))) return opened;
  }
}

/** The agent's latest decided group before `round`, without what that one remembers itself. */
function previousOf(
  prompt: PromptState,
  round: number,
  agent: AgentName,
  { cohort }: ArrivalContext,
): Group | null {
  const latest = cohort.reward.flipGate !== null ? prompt.labels.get(agent) : undefined;
  return latest === undefined || latest.round >= round
    ? null
    : { ...latest.group, basis: null, previous: null };
}

/** Chooses, once for the whole group, the labels that it is scored against under `last-label`. */
function fixBasis(prompt: PromptState, bucket: Bucket, group: Group, context: ArrivalContext): Bucket {
  if (group.basis !== null) return bucket;
  const oldest = bucket.round - context.cohort.barrier.maxStaleness;
  const basisOf = ({ teachers }: Relations) =>
    teachers.map((teacher: Agent) => {
      const latest = prompt.labels.get(teacher.name);
      const recent = latest !== undefined && latest.round >= oldest;
      return {
        agent: teacher.name,
        round: recent ? latest.round : bucket.round,
        group: recent ? latest.group : null,
      };
    });
  const own = basisOf(context.relationsOf(context, bucket.plan));
  // Of teachers that have left there will be no label any more: the ring closes.
  const isLost = own.some(({ agent, group: label }) => label === null && context.finished.has(agent));
  const basis = isLost ? basisOf(context.relationsOf(context, bucket.plan, context.finished)) : own;
  return withGroup(bucket, { ...group, basis });
}
