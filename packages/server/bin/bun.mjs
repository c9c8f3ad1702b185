#!/usr/bin/env node
// Runs Bun from its platform package, so that nothing but Node and npm has to be there and no install script has to run:
//   node packages/server/bin/bun.mjs test
import { launch } from './launch.mjs';

launch(process.argv.slice(2));
