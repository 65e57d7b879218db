/** One sample of a Prometheus exposition. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads `/metrics`. */
export async function scrapeMetrics(url: string): Promise<readonly Sample[]> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  return text.split('\n').flatMap((line) => {
    const match = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match === null) return [];
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
    return [{ name: match[1] ?? '', labels: Object.fromEntries(labels), value: Number(match[3]) }];
  });
}

/** Sum of the samples of a metric whose labels are all as wanted; what has never been counted is 0. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  wanted: Readonly<Record<string, string>>,
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter(({ labels }) => Object.entries(wanted).every(([key, value]) => labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
