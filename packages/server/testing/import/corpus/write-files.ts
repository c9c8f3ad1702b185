// Writes the files of the corpus: node packages/server/bin/bun.mjs packages/server/testing/import/corpus/write-files.ts
// The Parquet files are written by make-parquet.py.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORPUS } from './manifest.ts';

for (const { file, content } of CORPUS) {
  if (content === undefined) continue;
  const path = join(import.meta.dir, 'files', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
