import type { CohortDraft } from './cohort-draft.ts';
import type { Issue } from './problems.ts';

/** The rules of `supervision: graph`: known agents, no self edges, at least one teacher per learner. */
export function checkGraph(draft: CohortDraft): readonly Issue[] {
  if (draft.get('method') !== 'co-rl' || draft.get('supervision') !== 'graph') return [];
  if (!draft.has('teachers')) {
    const message = 'is required with supervision: graph: give every learner the list of its teachers';
    return [{ path: ['teachers'], message }];
  }
  const teachers = draft.get('teachers');
  if (teachers === undefined) return [];
  const edges = new Map(Object.entries(teachers));
  return [...checkEdges(draft, edges), ...checkLearners(draft, edges), ...checkTeachers(draft, edges)];
}

type Edges = ReadonlyMap<string, readonly string[]>;

function checkEdges(draft: CohortDraft, edges: Edges): readonly Issue[] {
  const names = knownNames(draft);
  return [...edges].flatMap(([student, list]) => {
    if (names !== null && !names.has(student)) return [unknownAgent(['teachers', student], student, names)];
    return list.flatMap((teacher, index): Issue[] => {
      const path = ['teachers', student, index];
      if (teacher === student) return [{ path, message: `${student} cannot be its own teacher` }];
      if (list.indexOf(teacher) !== index) return [{ path, message: `${teacher} is listed twice` }];
      return names !== null && !names.has(teacher) ? [unknownAgent(path, teacher, names)] : [];
    });
  });
}

function checkLearners({ agents }: CohortDraft, edges: Edges): readonly Issue[] {
  return (agents ?? []).flatMap(({ name, role }): Issue[] => {
    if (name === null || role === null) return [];
    const path = ['teachers', name];
    const count = edges.get(name)?.length ?? 0;
    if (role === 'learner' && count === 0) {
      return [{ path, message: `${name} is a learner and needs at least one teacher` }];
    }
    if (role === 'teacher' && edges.has(name)) {
      return [{ path, message: `${name} has role teacher and learns from nobody; drop this entry` }];
    }
    return [];
  });
}

/** An agent that only teaches, and teaches nobody, would be run for nothing. */
function checkTeachers({ agents }: CohortDraft, edges: Edges): readonly Issue[] {
  const teaching = new Set([...edges.values()].flat());
  return (agents ?? []).flatMap(({ name, role }, index) =>
    role === 'teacher' && name !== null && !teaching.has(name)
      ? [{ path: ['agents', index], message: `${name} has role teacher, but is in no list of teachers` }]
      : [],
  );
}

/** Null when a name could not be read, so that nothing is called unknown for want of it. */
function knownNames({ agents }: CohortDraft): ReadonlySet<string> | null {
  const names = (agents ?? []).flatMap(({ name }) => (name === null ? [] : [name]));
  return agents === null || names.length < agents.length ? null : new Set(names);
}

function unknownAgent(path: Issue['path'], name: string, names: ReadonlySet<string>): Issue {
  return { path, message: `"${name}" is no agent of this cohort; its agents are ${[...names].join(', ')}` };
}
