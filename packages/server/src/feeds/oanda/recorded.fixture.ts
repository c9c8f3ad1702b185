// Answers of OANDA v20 as oandapyV20 recorded them, from beside the repository.
import { join } from 'node:path';
import { realData } from '../venues/real-data.fixture.ts';

type Answers = Readonly<Record<string, Readonly<Record<string, { readonly response?: unknown }>>>>;

const folder = realData('messages');
const answers: Answers = folder ? await Bun.file(join(folder, 'oanda_v20_responses.json')).json() : {};

export const recordedMissing = folder === null;

/** The lines of the pricing stream. */
export const recordedStream = (answers.pricing?._v3_accounts_accountID_pricing_stream?.response ?? []) as object[];

export const recordedCandles = answers.instruments?._v3_instruments_instrument_candles?.response;

export const recordedInstruments = answers.accounts?._v3_account_by_accountID_instruments?.response;

/** Every answer of every endpoint, and whatever stands in one of their lists: most of it is no price at all. */
export const recordedObjects: readonly unknown[] = Object.values(answers)
  .flatMap((group) => Object.values(group))
  .flatMap(({ response }) => [response, ...listsIn(response)]);

function listsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => [each, ...listsIn(each)]);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}
