// Parses an AsyncAPI document and prints its diagnostics. Exits with 1 if there are errors or warnings.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
for (const { severity, code, path, message } of diagnostics) {
  console.log(`${['error', 'warning', 'info', 'hint'][severity]} ${code} ${path.join('.')}: ${message}`);
}
if (!document || diagnostics.some(({ severity }) => severity <= 1)) process.exit(1);
console.log(`${document.channels().length} channels, ${document.operations().length} operations`);
