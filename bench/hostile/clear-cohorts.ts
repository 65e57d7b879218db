/** Deletes every cohort but those that are kept, and makes `fuzz` anew, of the agents `a` and `b`. */
export async function clearCohorts(url: string, isKept: (name: string) => boolean): Promise<void> {
  const { cohorts } = (await (await fetch(`${url}/v1/cohorts`)).json()) as { cohorts: { name: string }[] };
  for (const { name } of cohorts) {
    if (!isKept(name)) await fetch(`${url}/v1/cohorts/${encodeURIComponent(name)}`, { method: 'DELETE' });
  }
  await fetch(`${url}/v1/cohorts/fuzz`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agents: ['a', 'b'], k: 2 }),
  });
}
