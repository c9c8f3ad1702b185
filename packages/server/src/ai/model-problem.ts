// Whether the file of the headline model is the one that this release came with.
import { createHash } from 'node:crypto';
import { MODEL_VERSION, modelFile } from '@tickwire/sentiment';

/** What is wrong with the file; `null` if nothing is. */
export async function modelProblem(file: string = modelFile): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
  if (MODEL_VERSION.endsWith(`-${hash.digest('hex').slice(0, 8)}`)) return null;
  return `${file} is damaged (its checksum is wrong): install Tickwire again`;
}
