// Writes a file under a temporary name and renames it when it is complete: a file with its final name is never cut.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ExportError } from './export-error.ts';

/** Follows the name of a file that is not complete. */
const UNFINISHED = '.part';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'there is no permission to write there',
  EPERM: 'there is no permission to write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'there is a folder of that name',
  EEXIST: 'it is a file, not a folder',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk has an error',
};

/** An error of the file system as one line; others are returned unchanged. */
export function fileError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException)?.code;
  if (error instanceof ExportError || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  return new ExportError(`${path} cannot be written: ${PROBLEMS[code] ?? 'check the folder'} (${code})`, {
    cause: error,
  });
}

/**
 * Writes the chunks to a file, which replaces one of the same name. Returns the number of bytes; 0 without chunks, and then
 * there is no file. If the signal is aborted or `chunks` throws, nothing of it remains.
 */
export async function writeAtomically(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  const draft = path + UNFINISHED;
  let file: Awaited<ReturnType<typeof open>> | null = null;
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      if (!file) {
        await mkdir(dirname(path), { recursive: true });
        file = await open(draft, 'w', 0o644);
      }
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
      bytes += chunk.length;
    }
    if (!file) return 0;
    // Otherwise a power cut may leave a file of the final name without its content.
    await file.datasync();
    await file.close();
    file = null;
    await rename(draft, path);
    return bytes;
  } catch (error) {
    await file?.close().catch(() => {});
    await rm(draft, { force: true }).catch(() => {});
    throw fileError(path, error);
  }
}
