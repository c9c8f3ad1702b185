// Compiles each pattern of a JSON list on stdin with RE2, which throws for unsupported syntax.
import { readFileSync } from 'node:fs';
import { RE2JS } from 're2js';

const patterns = JSON.parse(readFileSync(0, 'utf8'));
for (const pattern of patterns) RE2JS.compile(pattern);
console.log(`${patterns.length} patterns`);
