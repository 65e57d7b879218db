/** Two answers, and whether they are the same one. */
export interface Pair {
  a: string;
  b: string;
  equal: boolean;
}
