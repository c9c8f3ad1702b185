// Plain files in an export: those of the data folder, the keys that sign heads, and sealed evidence. Keys are included, because
// without them the moved log could sign no heads and no destination could be read; an export is therefore readable only by
// its owner.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError } from '../../errors/store-error.ts';
import { dataFilePath, dataFiles, type FileSettings, isDataFile } from '../data-files.ts';
import { plainFiles } from '../realm-files.ts';
import { withFileErrors } from '../sqlite/errors.ts';
import type { FilePiece } from './format.ts';
import type { ArchivePart } from './tables.ts';

const PIECE_BYTES = 1024 ** 2;
/** Files of a realm. */
const NAME = /^(sim|live)\/(log-key\.pem|evidence\/\d{4}-\d\d-\d\d\/[A-Z0-9._-]{1,40}\.jsonl\.gz)$/;

/** Names relative to the data folder. */
export const filesOf = (settings: FileSettings, part: ArchivePart): string[] =>
  part === 'access'
    ? dataFiles(settings)
    : plainFiles(join(settings.data, part))
        .map((name) => `${part}/${name}`)
        // Files that are still being written have other names.
        .filter((name) => NAME.test(name));

export async function* piecesOf(settings: FileSettings, name: string): AsyncGenerator<FilePiece> {
  await using file = await open(dataFilePath(settings, name), 'r');
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, size));
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    const last = bytesRead === 0 || at >= size;
    yield { file: name, bytes: buffer.subarray(0, bytesRead).toString('base64'), last };
    if (last) return;
  }
}

/** Assembles the pieces of files, which come one file after the other, and writes each file when it is complete. */
export class FileReceiver {
  readonly #settings: FileSettings;
  #name = '';
  #pieces: Buffer[] = [];
  #taken = 0;

  constructor(settings: FileSettings) {
    this.#settings = settings;
  }

  /** Number of complete files. */
  get taken(): number {
    return this.#taken;
  }

  take({ file, bytes, last }: FilePiece): void {
    if (!isDataFile(file) && (!NAME.test(file) || file.includes('..')))
      throw new StoreError(`the export is damaged: it has a file with the name ${file}`);
    if (this.#name !== '' && this.#name !== file)
      throw new StoreError(`the export is damaged: ${this.#name} is incomplete`);
    this.#name = file;
    this.#pieces.push(Buffer.from(bytes, 'base64'));
    if (!last) return;
    this.#put(file, Buffer.concat(this.#pieces));
    this.#name = '';
    this.#pieces = [];
    this.#taken++;
  }

  #put(name: string, bytes: Buffer): void {
    const path = dataFilePath(this.#settings, name);
    withFileErrors(path, () => {
      if (existsSync(path)) {
        // In the folder of the export itself, the file already exists.
        if (readFileSync(path).equals(bytes)) return;
        throw new StoreError(`${path} already exists with other content: move it away`);
      }
      mkdirSync(dirname(path), { recursive: true });
      const part = `${path}.importing`;
      writeFileSync(part, bytes, { mode: name.endsWith('.jsonl.gz') ? 0o644 : 0o600 });
      renameSync(part, path);
    });
  }
}
