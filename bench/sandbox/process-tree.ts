import { readdirSync, readFileSync } from 'node:fs';

/** What this process and those that it has started use: workers are processes of their own. Linux alone tells. */
export interface TreeUsage {
  /** Of all that run and all that have ended, in ms; in steps of 10. */
  readonly cpuMs: number;
  /** Memory of the children that run, in MiB; what processes share counts for each. */
  readonly childrenMiB: number;
}

const TICK_MS = 10;
const PAGE_MIB = 4 / 1_024;
/** Fields of /proc/PID/stat behind the name: state is the first. */
const [PARENT, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM, PAGES] = [1, 11, 12, 13, 14, 21] as const;

export function readTree(): TreeUsage {
  const own = fieldsOf('self') ?? [];
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = fieldsOf(name);
      return fields !== null && fields[PARENT] === process.pid ? [fields] : [];
    });
  const ticks = sum(own, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM);
  return {
    cpuMs: TICK_MS * (ticks + children.reduce((all, fields) => all + sum(fields, USER, SYSTEM), 0)),
    childrenMiB: PAGE_MIB * children.reduce((all, fields) => all + (fields[PAGES] ?? 0), 0),
  };
}

/** Null for a process that has just ended. */
function fieldsOf(pid: string): number[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null;
  }
}

function sum(fields: readonly number[], ...places: readonly number[]): number {
  return places.reduce((all, place) => all + (fields[place] ?? 0), 0);
}
