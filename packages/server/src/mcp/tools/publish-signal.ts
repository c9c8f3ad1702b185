// `publish_signal`: publishes a signal of the caller's account. Without `confirm` it only shows what would be published.
import {
  canonicalJson,
  MAX_NOTE,
  type PublishedSignal,
  type SignalDraft,
  type SignalDraftList,
  SignalRequest,
  type SignalText,
} from '@tickwire/contract';
import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { fieldFaults } from '../../errors/validation.ts';
import { sha256Hex } from '../../ops/sha256.ts';
import { type Answer, rounded } from '../answer.ts';
import type { DetailedInstrument, Instruments } from '../instruments.ts';
import { invalidArgument, type ServiceReader, ToolError } from '../service.ts';
import { defineTool, oneOfArg, symbolArg } from '../tool.ts';

const priceArg = z.number().positive().meta({ allowed: 'a number above 0' });

/** A response that is older was made for an earlier call with the same terms. */
const REPEATED_MS = 10_000;

export const publishSignalTool = defineTool({
  name: 'publish_signal',
  description:
    "Publish a trade idea under the user's name. It is public and cannot be deleted. First call without confirm and show the " +
    'preview; call with confirm: true only after they agree. text: a chat message instead of the terms.',
  input: z.object({
    text: z.string().min(1).optional().meta({ allowed: 'a message with one signal, without other terms' }),
    symbol: symbolArg.optional(),
    direction: oneOfArg(['buy', 'sell']).optional(),
    entry: priceArg.optional(),
    order: oneOfArg(['market']).optional(),
    max_slippage: z.number().nonnegative().optional().meta({ allowed: 'a number of at least 0' }),
    stop_loss: priceArg.optional(),
    take_profit: priceArg.optional(),
    expires_at: z.string().max(40).optional().meta({
      allowed: 'an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
    }),
    note: z
      .string()
      .max(MAX_NOTE)
      .optional()
      .meta({ allowed: `a text of up to ${MAX_NOTE} characters` }),
    confirm: z.boolean().default(false).meta({ allowed: 'true or false' }),
  }),
  output: { published: { type: 'boolean' }, signal: { type: 'object' } },
  writes: 'public',
  async run({ confirm, text, ...fields }, { reader, instruments }): Promise<Answer> {
    const others = Object.keys(fields);
    if (text !== undefined && others.length > 0)
      throw invalidArgument(`${others.join(', ')} must be left out beside text`);
    // The service reads a message when it is first published. Its draft depends on the quote, so a repetition would have other terms.
    if (confirm)
      return publish(text === undefined ? await termsOf(fields, instruments) : { text }, reader, instruments);
    const { parts, notes, ...given } =
      text === undefined ? { ...fields, parts: [], notes: [] } : await draftOf(text, reader);
    const terms = await termsOf(given, instruments);
    const { symbol, direction, stop_loss, take_profit = 0 } = terms;
    const { item, quote, envelope } = await instrumentOf(symbol, instruments);
    const entry = terms.entry ?? (direction === 'buy' ? quote?.ask : quote?.bid);
    if (entry === undefined) throw new ServiceError('no_quote', `There is no quote for ${symbol} yet`);
    const { risk, reward, ...figures } = figuresOf({ ...terms, take_profit, entry }, item);
    if (risk <= 0 || reward <= 0) {
      const [stopSide, targetSide] = direction === 'buy' ? ['below', 'above'] : ['above', 'below'];
      throw new ToolError(
        `Levels out of order (levels_out_of_order): for a ${direction}, stop_loss must be ${stopSide} entry and take_profit ${targetSide} it.`,
        'levels_out_of_order',
      );
    }
    const at = terms.order ? `at the market, now ${entry}` : `at ${entry}`;
    const shown = `${direction} ${symbol} ${at}, stop ${stop_loss}, target ${take_profit}`;
    return {
      summary: `NOT PUBLISHED. Preview: ${shown}, reward to risk ${figures.reward_to_risk}. Ask the user, then repeat with confirm: true`,
      ...envelope,
      published: false,
      signal: { ...terms, ...figures },
      ...(text !== undefined && { understood: parts, notes }),
      quote: quote ? { bid: quote.bid, ask: quote.ask, stale: quote.stale } : null,
      to_publish: 'repeat the same arguments with confirm: true',
    };
  },
});

/** A repetition of the same call within 24 hours gets the first response and publishes nothing. */
async function publish(
  request: SignalRequest | SignalText,
  reader: ServiceReader,
  instruments: Instruments,
): Promise<Answer> {
  const { body: published } = await reader.reply<PublishedSignal>('/api/signals', {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `mcp-${sha256Hex(canonicalJson(request))}` },
  });
  const { id, symbol, direction, entry, stop_loss, take_profit, order, timestamp } = published;
  const { item, envelope } = await instrumentOf(symbol, instruments);
  const { risk: _, reward: __, ...figures } = figuresOf(published, item);
  const isRepeated = reader.now - Date.parse(timestamp) > REPEATED_MS;
  return {
    summary: isRepeated
      ? `NOT PUBLISHED again: the same terms were published as ${id} at ${timestamp}`
      : `PUBLISHED ${id}: ${direction} ${symbol} at ${entry}, stop ${stop_loss}, target ${take_profit} (${order} order)`,
    ...envelope,
    published: !isRepeated,
    signal: { ...published, ...figures },
  };
}

async function termsOf(given: object, instruments: Instruments): Promise<SignalRequest> {
  const { data: known, error } = SignalRequest.safeParse(given);
  if (error)
    throw invalidArgument(
      fieldFaults(error, SignalRequest, given)
        .map(({ field, rule }) => `${field} ${rule}`)
        .join('; '),
    );
  const [item] = await instruments.resolve([known.symbol]);
  return { ...known, symbol: item!.symbol };
}

async function instrumentOf(symbol: string, instruments: Instruments) {
  const [item] = await instruments.resolve([symbol]);
  const { quotes, missing, envelope } = await instruments.freshness([item!]);
  return { item: item!, quote: quotes.get(symbol), envelope: { ...envelope, gaps: missing, next: null } };
}

type Levels = Pick<PublishedSignal, 'direction' | 'entry' | 'stop_loss' | 'take_profit'>;

/** `risk` and `reward` are distances in price. */
function figuresOf({ direction, entry, stop_loss, take_profit }: Levels, { pip_size }: DetailedInstrument) {
  const sign = direction === 'buy' ? 1 : -1;
  const [risk, reward] = [(entry - stop_loss) * sign, (take_profit - entry) * sign];
  return {
    risk,
    reward,
    risk_pips: rounded(risk / pip_size, 1),
    reward_pips: rounded(reward / pip_size, 1),
    reward_to_risk: rounded(reward / risk, 2),
  };
}

/** The terms of a message. It states all of them. */
async function draftOf(text: string, reader: ServiceReader): Promise<SignalDraft> {
  const { body } = await reader.reply<SignalDraftList>('/api/signals/parse', {
    method: 'POST',
    body: JSON.stringify({ text }),
    headers: { 'Content-Type': 'application/json' },
  });
  const [draft, ...more] = body.items;
  if (more.length > 0) throw invalidArgument('text must have one signal; publish each with a call of its own');
  return draft!;
}
