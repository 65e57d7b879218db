/** A way to answer a problem: the steps that lead to an answer, right or wrong. */
export interface Solution {
  readonly steps: string;
  readonly answer: number;
}

export type Topic = 'percent' | 'units' | 'meeting' | 'posts';

export interface Problem {
  readonly id: string;
  readonly topic: Topic;
  readonly text: string;
  readonly truth: number;
  /** The right solution first, then typical mistakes. No two have the same answer. */
  readonly solutions: readonly Solution[];
}

/** The data set that all agents share: 32 problems of four kinds, the same ids for everyone. */
export function makeProblems(): readonly Problem[] {
  return [...PERCENT.map(percent), ...UNITS.map(units), ...MEETING.map(meeting), ...POSTS.map(posts)];
}

type Pair = readonly [number, number];

const PERCENT: readonly Pair[] = [
  [80, 25],
  [120, 15],
  [60, 20],
  [200, 35],
  [140, 10],
  [90, 30],
  [250, 12],
  [160, 40],
];

function percent([price, off]: Pair, at: number): Problem {
  const cut = (price * off) / 100;
  return problem(
    'percent',
    at,
    `A coat costs ${price} euros and gets ${off} % cheaper. What does it cost now?`,
    [
      {
        steps: `${off} % of ${price} is ${cut}, and ${price} - ${cut} = ${price - cut}.`,
        answer: price - cut,
      },
      { steps: `We need ${off} % of ${price}, which is ${cut}.`, answer: cut },
      { steps: `${price} - ${off} = ${price - off}.`, answer: price - off },
      {
        steps: `${off} % of ${price} is ${cut}, and ${price} + ${cut} = ${price + cut}.`,
        answer: price + cut,
      },
    ],
  );
}

const UNITS: readonly Pair[] = [
  [12, 3],
  [20, 4],
  [18, 2],
  [35, 5],
  [24, 6],
  [50, 10],
  [21, 3],
  [64, 4],
];

function units([litres, minutes]: Pair, at: number): Problem {
  const rate = litres / minutes;
  return problem('units', at, `A tap gives ${litres} litres in ${minutes} minutes. How many in one hour?`, [
    { steps: `${litres} / ${minutes} = ${rate} a minute, times 60 is ${rate * 60}.`, answer: rate * 60 },
    { steps: `${litres} times 60 is ${litres * 60}.`, answer: litres * 60 },
    { steps: `${litres} / ${minutes} = ${rate}.`, answer: rate },
    { steps: `${litres} times ${minutes} is ${litres * minutes}.`, answer: litres * minutes },
  ]);
}

const MEETING: readonly (readonly [number, number, number])[] = [
  [480, 90, 70],
  [630, 120, 90],
  [800, 110, 90],
  [360, 80, 40],
  [700, 100, 75],
  [880, 130, 90],
  [560, 75, 65],
  [840, 115, 95],
];

function meeting([distance, fast, slow]: (typeof MEETING)[number], at: number): Problem {
  const both = fast + slow;
  const apart = fast - slow;
  const hours = distance / both;
  return problem(
    'meeting',
    at,
    `Two trains start ${distance} km apart towards each other, at ${fast} and ${slow} km/h. After how many hours do they meet?`,
    [
      { steps: `Together they cover ${both} km an hour: ${distance} / ${both} = ${hours}.`, answer: hours },
      {
        steps: `They differ by ${apart} km/h: ${distance} / ${apart} = ${distance / apart}.`,
        answer: distance / apart,
      },
      {
        steps: `${distance} / ${both} = ${hours}, and there are two trains: ${2 * hours}.`,
        answer: 2 * hours,
      },
      { steps: `They cover ${both} km an hour, so it takes ${distance - both}.`, answer: distance - both },
    ],
  );
}

const POSTS: readonly Pair[] = [
  [60, 5],
  [48, 4],
  [90, 6],
  [35, 7],
  [100, 10],
  [72, 8],
  [42, 3],
  [66, 11],
];

function posts([length, gap]: Pair, at: number): Problem {
  const gaps = length / gap;
  return problem(
    'posts',
    at,
    `A straight fence of ${length} m has a post every ${gap} m and at both ends. How many posts?`,
    [
      {
        steps: `${length} / ${gap} = ${gaps} gaps, and one post more than gaps: ${gaps + 1}.`,
        answer: gaps + 1,
      },
      { steps: `${length} / ${gap} = ${gaps}.`, answer: gaps },
      { steps: `${length} / ${gap} = ${gaps}, without the two ends ${gaps - 1}.`, answer: gaps - 1 },
      { steps: `${length} / ${gap} = ${gaps}, and two for the ends: ${gaps + 2}.`, answer: gaps + 2 },
    ],
  );
}

function problem(
  topic: Topic,
  at: number,
  text: string,
  solutions: readonly [Solution, ...Solution[]],
): Problem {
  return { id: `${topic}-${at + 1}`, topic, text, truth: solutions[0].answer, solutions };
}
