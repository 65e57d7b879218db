import { parseArgs } from 'node:util';

export interface Options {
  /** Whether the server goes on serving after the table. */
  readonly keep: boolean;
  readonly port: number;
  readonly seed: number;
  /** All three agents start as the same one: what Co-RL cannot help. */
  readonly twins: boolean;
}

export const USAGE = `Usage: npm run quickstart -- [options]
  --keep         go on serving after the table, until Ctrl-C (as it does by itself in a terminal)
  --no-keep      end after the table
  --port <port>  port of the server (8080; a free one if that is taken)
  --seed <n>     other agents and other luck (1)
  --twins        three agents that start as the same one`;

/** Reads the command line; null when it asks for help. Throws on what it does not know. */
export function readOptions(args: readonly string[], inTerminal: boolean): Options | null {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      keep: { type: 'boolean' },
      port: { type: 'string' },
      seed: { type: 'string' },
      twins: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return null;
  return {
    keep: values.keep ?? inTerminal,
    port: readNumber(values.port, 8080),
    seed: readNumber(values.seed, 1),
    twins: values.twins ?? false,
  };
}

function readNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`"${text}" is not a whole number from 0.`);
  return value;
}
