// Responses of OANDA v20 as recorded by oandapyV20.
import { recording } from '../shared-data.fixture.ts';

type Responses = Readonly<Record<string, Readonly<Record<string, { readonly response?: unknown }>>>>;

const responses: Responses = await Bun.file(recording('messages/oanda_v20_responses.json')).json();

/** The lines of the pricing stream. */
export const recordedStream = (responses.pricing?._v3_accounts_accountID_pricing_stream?.response ?? []) as object[];

export const recordedCandles = responses.instruments?._v3_instruments_instrument_candles?.response;

export const recordedInstruments = responses.accounts?._v3_account_by_accountID_instruments?.response;

/** Every response of every endpoint, and every item of their lists. Few of them are prices. */
export const recordedObjects: readonly unknown[] = Object.values(responses)
  .flatMap((group) => Object.values(group))
  .flatMap(({ response }) => [response, ...listsIn(response)]);

function listsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => [each, ...listsIn(each)]);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsIn) : [];
}
