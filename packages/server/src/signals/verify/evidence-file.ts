// Sealed evidence as a file: gzipped lines, written completely or not at all, and the hash of its content.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { draftName, renameDraft } from '../../ops/durable-file.ts';
import { type Chunks, gunzipChunks } from '../../ops/gzip-stream.ts';
import { EVIDENCE } from '../../store/realm-files.ts';
import type { EvidenceLine } from './evidence-line.ts';

const NEWLINE = 10;
/** Longer than any line. Bounds memory. */
const MAX_LINE = 4_096;

export interface SealedContent {
  readonly ticks: number;
  /** SHA-256 of the unpacked content, hex. */
  readonly sha256: string;
}

/** `folder` is the folder of the realm. */
export const evidencePath = (folder: string, day: string, symbol: string): string =>
  join(folder, EVIDENCE, day, `${symbol}.jsonl.gz`);

/** Lines as they are stored and hashed. */
export const evidenceText = (lines: readonly EvidenceLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export async function writeEvidence(
  path: string,
  batches: AsyncIterable<readonly EvidenceLine[]>,
): Promise<SealedContent> {
  const hash = createHash('sha256');
  let ticks = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const batch of batches) {
      const text = evidenceText(batch);
      hash.update(text);
      ticks += batch.length;
      yield text;
    }
  }
  mkdirSync(dirname(path), { recursive: true });
  try {
    await pipeline(Readable.from(texts()), createGzip(), createWriteStream(draftName(path)));
    renameDraft(path);
  } catch (error) {
    rmSync(draftName(path), { force: true });
    throw error;
  }
  return { ticks, sha256: hash.digest('hex') };
}

/** The unpacked bytes of a file. */
const unpacked = (path: string): Chunks => gunzipChunks(createReadStream(path));

/** Line count and hash of a file. Throws if it cannot be read. */
export async function hashEvidence(path: string): Promise<SealedContent> {
  const hash = createHash('sha256');
  let ticks = 0;
  for await (const chunk of unpacked(path)) {
    hash.update(chunk);
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) ticks++;
  }
  return { ticks, sha256: hash.digest('hex') };
}

/** The file is not evidence. The message completes the sentence "the ticks of … ". */
export class EvidenceError extends Error {
  override name = 'EvidenceError';
}

/** The lines of a file, in batches. Throws an EvidenceError if it contains something else. */
export async function* readEvidence(path: string): AsyncGenerator<EvidenceLine[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  const content = unpacked(path);
  for (;;) {
    const { value: chunk, done } = await content.next().catch((error: Error) => {
      throw new EvidenceError(`cannot be unpacked: ${error.message}`);
    });
    if (done) return;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) throw new EvidenceError(`have a line of more than ${MAX_LINE} characters`);
    if (lines.length > 0) yield lines.map(parseLine);
  }
}

function parseLine(line: string): EvidenceLine {
  try {
    return JSON.parse(line) as EvidenceLine;
  } catch {
    throw new EvidenceError('have a line that is not JSON');
  }
}
