#!/usr/bin/env node
/** The installed command: runs the compiled program with a Node new enough. */
import { fileURLToPath } from 'node:url';
import { keepMemorySmall } from './keep-memory-small.mjs';
import { reportFailure, startProgram } from './start-program.mjs';

const program = fileURLToPath(new URL('../dist/main/fairway.js', import.meta.url));

keepMemorySmall();
await startProgram(program, process.argv.slice(2)).catch(reportFailure);
