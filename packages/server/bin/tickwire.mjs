#!/usr/bin/env node
// The `tickwire` command. Node starts it, Bun runs it.
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

launch([fileURLToPath(new URL('../src/cli/main.ts', import.meta.url)), ...process.argv.slice(2)], {
  channel: true,
});
