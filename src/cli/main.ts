#!/usr/bin/env node
import { Command } from 'commander';
import { declareCheck } from './check/declare.ts';
import { complain } from './complain.ts';
import { declareDoctor } from './doctor/declare.ts';
import { declareGrade } from './grade.ts';
import { declareHealth } from './health.ts';
import { printOpenApi } from './openapi.ts';
import { declarePair } from './pair/declare.ts';
import { declareRephrase } from './rephrase/declare.ts';
import { declareScore } from './score/declare.ts';
import { declareServe } from './serve.ts';
import { declareSimulate } from './simulate/declare.ts';
import { VERSION } from './version.ts';
import { declareWatch } from './watch/declare.ts';

// Whoever reads our output may have seen enough of it, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = new Command('peervote')
  .description('The reward server for Co-RL: cross-agent majority-vote rewards over HTTP.')
  .version(VERSION)
  .showHelpAfterError()
  // It quotes an option that it does not know with its value, which may be a URL with a password.
  .configureOutput({ writeErr: (text) => complain(text.trimEnd().replace(/('--?[\w-]+=)[^\n]*'/, "$1…'")) });

declareServe(program);
declareGrade(program);
declareSimulate(program);
declareRephrase(program);
declareScore(program);
declarePair(program);
declareHealth(program);
declareWatch(program);
declareDoctor(program);
declareCheck(program);
program
  .command('openapi')
  .description('Print the description of the HTTP API as OpenAPI 3.1 YAML.')
  .action(printOpenApi);

try {
  await program.parseAsync();
} catch (error) {
  complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
