import { parseArgs } from 'node:util';
import { readRollouts } from '../replay/rollouts.ts';
import { startServer } from '../support/server-process.ts';
import { formatTable } from '../support/table.ts';
import { sourceOf } from './problem.ts';
import { type Stop, tour } from './tour.ts';

const USAGE = `usage: npm run methods -- FILE [--mode MODE] [--redis URL]

Runs every reward method over HTTP on the rollouts of FILE (JSON Lines, as for npm run replay), one cohort each, and prints a
line per method. Entropies, self-certainties, verdicts and judges' scores are invented: recorded rollouts have none.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', default: 'boxed' }, redis: { type: 'string' } },
});
const [file] = positionals;
if (file === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const source = sourceOf(readRollouts(file), values.mode);
const redis =
  values.redis === undefined ? [] : ['--redis', values.redis, '--redis-prefix', `tour-${process.pid}:`];
const server = await startServer(redis);
const stops: Stop[] = [];
try {
  for await (const stop of tour(server.url, source)) stops.push(stop);
} finally {
  await server.stop();
}
const where = values.redis === undefined ? 'the embedded store' : 'Redis';
console.log(`${source.problems.length} problems of ${file} on ${where}; what no rollout has was invented.\n`);
console.log(
  formatTable(
    ['method', 'groups', 'scored', 'unlabeled', 'rewards', 'mean', 'null', 'source'],
    stops.map((stop) => [
      stop.method,
      stop.groups,
      stop.scored,
      stop.unlabeled,
      stop.rewards,
      stop.mean?.toFixed(4) ?? '-',
      stop.nulls,
      stop.sources.join(', '),
    ]),
  ),
);
for (const [warning, times] of server.warnings) console.log(`\nThe server warned ${times} times: ${warning}`);
