import { describe, expect, it } from 'vitest';
import { Gates } from '../../../../bench/replay/gates.ts';

const visit = (round: number) => ({ promptId: 'p', round });

function openGates() {
  const opened: string[] = [];
  const gates = new Gates(['a', 'b', 'c', 'd'], 'predecessor', (agent, group) =>
    opened.push(`${agent}: ${group}`),
  );
  return { gates, opened };
}

describe('the gates of a replay', () => {
  it("release a teacher's group once, when its student is ready", () => {
    const { gates, opened } = openGates();
    gates.ready('b', visit(0));
    gates.ready('b', visit(0));
    expect(opened).toEqual(['a: a|p|0']);
    expect(gates.released).toEqual(['a|p|0']);
  });

  it('release nothing new around a frozen agent, and let what is under way end', () => {
    const { gates, opened } = openGates();
    gates.ready('b', visit(0));
    gates.freeze('b');
    gates.ready('c', visit(0));
    expect(opened).toEqual(['a: a|p|0', 'b: b|p|0']);
    gates.ready('c', visit(1));
    gates.ready('b', visit(1));
    gates.ready('d', visit(1));
    expect(opened.slice(2)).toEqual(['c: c|p|1']);
  });

  it("keep the student's word over a thaw, and ask the killed agent's again", () => {
    const { gates, opened } = openGates();
    gates.freeze('b');
    gates.ready('c', visit(0));
    gates.ready('b', visit(0));
    expect(opened).toEqual([]);
    gates.thaw();
    expect(opened).toEqual(['b: b|p|0']);
    gates.ready('b', visit(0));
    expect(opened).toEqual(['b: b|p|0', 'a: a|p|0']);
  });
});
