// Raw messages of venues from the test data of other projects.
import { recording } from '../shared-data.fixture.ts';

/** Messages of crypto-msg-parser by its name of the venue, and of barter-rs by its folder. */
export async function rawMessages(parserName: string, barterFolder: string): Promise<unknown[]> {
  const lines = async (file: string): Promise<Record<string, unknown>[]> =>
    (await Bun.file(recording(`messages/${file}`)).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const parser = (await lines('crypto_msg_parser_raw.jsonl')).filter((row) => row.exchange === parserName);
  const barter = (await lines('barter_raw.jsonl')).filter((row) => String(row.file).includes(`/${barterFolder}/`));
  return [...parser, ...barter].map((row) => row.msg);
}
