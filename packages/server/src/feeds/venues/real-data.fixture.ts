// Real recordings lie beside the repository, not in it. A test that needs them skips where they are missing, and says so.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SHARED = resolve(import.meta.dir, '../../../../../../shared/data');

/** The folder's path, or null with a word on standard error. */
export function realData(name: string): string | null {
  const folder = join(SHARED, name);
  if (existsSync(folder)) return folder;
  console.warn(`skipped: ${folder} is not there`);
  return null;
}

/** Raw messages of a venue: those of crypto-msg-parser by its name for it, those of barter-rs by their folder. */
export async function rawMessages(parserName: string, barterFolder: string): Promise<unknown[]> {
  const folder = realData('messages');
  if (!folder) return [];
  const lines = async (file: string): Promise<Record<string, unknown>[]> =>
    (await Bun.file(join(folder, file)).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const parser = (await lines('crypto_msg_parser_raw.jsonl')).filter((row) => row.exchange === parserName);
  const barter = (await lines('barter_raw.jsonl')).filter((row) => String(row.file).includes(`/${barterFolder}/`));
  return [...parser, ...barter].map((row) => row.msg);
}
