// Plain files of a realm in an export: the key that signs the log's heads, and sealed days of tape. Without the key no head
// of the moved log could be signed, so it goes along; both an export and the file are for their owner's eyes alone.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { explained } from '../sqlite/database.ts';
import { LOG_KEY, plainFiles } from '../sqlite/realm-files.ts';
import { StoreError } from '../store.ts';
import type { FileLine } from './format.ts';

const PIECE_BYTES = 1024 ** 2;
const NAME = /^(sim|live)\/(log-key\.pem|evidence\/\d{4}-\d\d-\d\d\/[A-Z0-9._-]{1,40}\.jsonl\.gz)$/;

/** Names relative to the data folder. */
export const filesOf = (folder: string, realm: string): string[] =>
  plainFiles(join(folder, realm))
    .map((name) => `${realm}/${name}`)
    // What is being written at this moment has another name, and is not sealed yet.
    .filter((name) => NAME.test(name));

export async function* piecesOf(folder: string, name: string): AsyncGenerator<FileLine> {
  const file = await open(join(folder, name), 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(PIECE_BYTES, size));
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      at += bytesRead;
      const last = bytesRead === 0 || at >= size;
      yield { file: name, bytes: buffer.subarray(0, bytesRead).toString('base64'), last };
      if (last) return;
    }
  } finally {
    await file.close();
  }
}

/** Takes the pieces of files that come one after the other, and puts each in its place when it is whole. */
export class FileReceiver {
  readonly #folder: string;
  #name = '';
  #pieces: Buffer[] = [];
  #taken = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How many were whole. */
  get taken(): number {
    return this.#taken;
  }

  take({ file, bytes, last }: FileLine): void {
    if (!NAME.test(file) || file.includes('..')) throw new StoreError(`the export is damaged: it has a file ${file}`);
    if (this.#name !== '' && this.#name !== file)
      throw new StoreError(`the export is damaged: ${this.#name} has no end`);
    this.#name = file;
    this.#pieces.push(Buffer.from(bytes, 'base64'));
    if (!last) return;
    this.#put(file, Buffer.concat(this.#pieces));
    this.#name = '';
    this.#pieces = [];
    this.#taken++;
  }

  #put(name: string, bytes: Buffer): void {
    const path = join(this.#folder, name);
    explained(path, () => {
      if (existsSync(path)) {
        // In the folder it was exported from it is there already.
        if (readFileSync(path).equals(bytes)) return;
        throw new StoreError(`${path} exists already and is another: move it away`);
      }
      mkdirSync(dirname(path), { recursive: true });
      const part = `${path}.importing`;
      writeFileSync(part, bytes, { mode: name.endsWith(LOG_KEY) ? 0o600 : 0o644 });
      renameSync(part, path);
    });
  }
}
