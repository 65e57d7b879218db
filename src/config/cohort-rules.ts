import { checkAdaptive } from './adaptive-checks.ts';
import type { CohortDraft } from './cohort-draft.ts';
import { CONDITIONAL_DEFAULTS, type CohortConfig } from './cohort-schema.ts';
import { checkGraph } from './graph-rules.ts';
import { checkLastLabel, checkMethodAgents, checkMethodOptions, votesOnOneGroup } from './method-rules.ts';
import type { Issue, Path } from './problems.ts';
import { checkReward } from './reward-checks.ts';
import { checkWeighting } from './weighting-checks.ts';

type Rule = (draft: CohortDraft) => readonly Issue[];

const RULES: readonly Rule[] = [
  checkAgentNames,
  checkAgentCount,
  checkMethodAgents,
  checkDependentKeys,
  checkOnFinish,
  checkMethodOptions,
  checkLastLabel,
  checkGraph,
  checkAdaptive,
  checkQuorum,
  checkGrace,
  checkMinVotes,
  checkPattern,
  checkRetention,
  checkReward,
  checkWeighting,
];

/** What the fields of a cohort ask of each other. Fields that are wrong by themselves are left out. */
export function checkCohortRules(draft: CohortDraft): readonly Issue[] {
  return RULES.flatMap((rule) => rule(draft));
}

function checkAgentNames({ agents }: CohortDraft): readonly Issue[] {
  const first = new Map<string, number>();
  return (agents ?? []).flatMap(({ name, isObject }, index) => {
    if (name === null) return [];
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, index);
      return [];
    }
    const path: Path = isObject ? ['agents', index, 'name'] : ['agents', index];
    return [{ path, message: `agents need unique names: "${name}" is already agents[${earlier}]` }];
  });
}

function checkAgentCount(draft: CohortDraft): readonly Issue[] {
  if (draft.agents?.length !== 1 || draft.get('method') !== 'co-rl') return [];
  return [
    {
      path: ['agents'],
      message: 'method co-rl needs at least 2 agents, since an agent learns from its peers; got 1',
    },
  ];
}

interface Dependency {
  readonly key: keyof CohortConfig;
  readonly on: 'method' | 'supervision' | 'barrier';
  readonly value: string;
}

const DEPENDENCIES: readonly Dependency[] = [
  { key: 'supervision', on: 'method', value: 'co-rl' },
  { key: 'ring', on: 'supervision', value: 'ring' },
  { key: 'teachers', on: 'supervision', value: 'graph' },
  { key: 'aggregate', on: 'supervision', value: 'graph' },
  { key: 'adaptive', on: 'supervision', value: 'adaptive' },
  { key: 'max_staleness', on: 'barrier', value: 'last-label' },
];

/** A setting that nothing would read is a misunderstanding, so it is an error. */
function checkDependentKeys(draft: CohortDraft): readonly Issue[] {
  const method = draft.get('method');
  return DEPENDENCIES.flatMap(({ key, on, value }) => {
    if (!draft.has(key)) return [];
    if (on === 'supervision' && method !== undefined && method !== 'co-rl') {
      return [onlyWith([key], key, 'method', 'co-rl', method)];
    }
    const actual = on === 'supervision' ? supervisionOf(draft) : draft.get(on);
    return actual === undefined || actual === value ? [] : [onlyWith([key], key, on, value, actual)];
  });
}

/** There is a ring to close only where one is drawn. */
function checkOnFinish(draft: CohortDraft): readonly Issue[] {
  if (!draft.has('on_finish')) return [];
  const method = draft.get('method');
  if (method !== undefined && method !== 'co-rl') {
    return [onlyWith(['on_finish'], 'on_finish', 'method', 'co-rl', method)];
  }
  const actual = supervisionOf(draft);
  if (actual === undefined || actual === 'ring' || actual === 'adaptive') return [];
  return [onlyWith(['on_finish'], 'on_finish', 'supervision', 'ring or adaptive', actual)];
}

/** Undefined when it is wrong, so that nothing is concluded from it. */
function supervisionOf(draft: CohortDraft): string | undefined {
  return draft.has('supervision') ? draft.get('supervision') : CONDITIONAL_DEFAULTS.supervision;
}

function checkPattern(draft: CohortDraft): readonly Issue[] {
  const answers = draft.get('answers');
  if (answers === undefined) return [];
  const { mode, pattern } = answers;
  const path: Path = ['answers', 'pattern'];
  if (mode === 'regex' && pattern === undefined) return [{ path, message: 'is required with mode regex' }];
  return mode === 'regex' || pattern === undefined
    ? []
    : [onlyWith(path, 'pattern', 'answers.mode', 'regex', mode)];
}

function checkQuorum(draft: CohortDraft): readonly Issue[] {
  const quorum = draft.get('quorum') ?? null;
  const smaller = (draft.agents ?? []).filter(({ k }) => quorum !== null && k !== null && k < quorum);
  if (smaller.length === 0) return [];
  const who = smaller.map(({ name, k }) => `${name ?? 'an agent'} has k ${k}`).join(', ');
  return [{ path: ['quorum'], message: `must not exceed any agent's k: it is ${quorum}, but ${who}` }];
}

function checkGrace(draft: CohortDraft): readonly Issue[] {
  const quorum = draft.get('quorum');
  if (quorum === undefined) return [];
  if (quorum === null) {
    const message = 'grace_ms only makes sense with a quorum, and quorum is null';
    return draft.has('grace_ms') ? [{ path: ['grace_ms'], message }] : [];
  }
  const grace = draft.has('grace_ms') ? draft.get('grace_ms') : CONDITIONAL_DEFAULTS.graceMs;
  const deadline = draft.get('deadline_ms');
  if (grace === undefined || deadline === undefined || grace < deadline) return [];
  const origin = draft.has('grace_ms') ? '' : ', the default';
  return [
    {
      path: ['grace_ms'],
      message: `must be below deadline_ms (${deadline}), or the quorum never decides a group; it is ${grace}${origin}`,
    },
  ];
}

/** Under `pooled` and `graph` several groups may make one vote, so that no single k bounds it. */
function checkMinVotes(draft: CohortDraft): readonly Issue[] {
  const minVotes = draft.get('vote')?.min_votes ?? 1;
  if (!votesOnOneGroup(draft, supervisionOf(draft))) return [];
  const smaller = (draft.agents ?? []).filter(({ k }) => k !== null && k < minVotes);
  if (smaller.length === 0) return [];
  const who = smaller.map(({ name, k }) => `${name ?? 'an agent'} has k ${k}`).join(', ');
  return [
    {
      path: ['vote', 'min_votes'],
      message: `must not exceed any agent's k, or its groups never get a label: it is ${minVotes}, but ${who}`,
    },
  ];
}

function checkRetention(draft: CohortDraft): readonly Issue[] {
  const bucket = draft.get('retention_ms');
  const prompt = draft.get('prompt_retention_ms');
  if (bucket === undefined || prompt === undefined || prompt >= bucket) return [];
  return [
    { path: ['prompt_retention_ms'], message: `must be at least retention_ms (${bucket}), got ${prompt}` },
  ];
}

function onlyWith(path: Path, what: string, key: string, value: string, actual: string): Issue {
  return { path, message: `${what} only makes sense with ${key}: ${value}, and ${key} is ${actual}` };
}
