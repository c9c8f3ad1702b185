// `tickwire licenses`: prints the notices of this program and of the libraries in it.
import { readFileSync } from 'node:fs';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { noticesFile } from './notices.ts';

const HELP = `tickwire licenses

Prints the notices and licences of Tickwire, its sentiment model and the libraries it contains.
`;
const IN_A_CHECKOUT =
  'Tickwire is licensed under the Apache License, Version 2.0: see LICENSE and NOTICE. Each library in node_modules has its own licence.\n';

export async function licenses(args: string[]): Promise<number> {
  const { words, on } = readArguments(args, {});
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0) throw new UsageError('usage: tickwire licenses');
  process.stdout.write(noticesFile === null ? IN_A_CHECKOUT : readFileSync(noticesFile, 'utf8'));
  return 0;
}
