#!/usr/bin/env node
// Runs Bun from its platform package, so that only Node and npm are needed and no install script has to run:
//   node packages/server/bin/bun.mjs test
import { launch } from './launch.mjs';

launch(process.argv.slice(2));
