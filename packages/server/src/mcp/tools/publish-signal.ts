// `publish_signal`: publishes a signal of the caller's account. Without `confirm` it only shows what would be published.
import { canonicalJson, MAX_NOTE, type PublishedSignal, SignalRequest } from '@tickwire/contract';
import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { fieldFaults } from '../../errors/validation.ts';
import { sha256Hex } from '../../ops/sha256.ts';
import { type Answer, rounded } from '../answer.ts';
import { invalidArgument, ToolError } from '../service.ts';
import { defineTool, oneOfArg, symbolArg } from '../tool.ts';

const priceArg = z.number().positive().meta({ allowed: 'a number above 0' });

/** A response that is older was made for an earlier call with the same terms. */
const REPEATED_MS = 10_000;

export const publishSignalTool = defineTool({
  name: 'publish_signal',
  description:
    "Publish a trade idea under the user's name. It is public and cannot be deleted. First call without confirm and show the " +
    'preview; call with confirm: true only after they agree.',
  input: z.object({
    symbol: symbolArg,
    direction: oneOfArg(['buy', 'sell']),
    entry: priceArg.optional(),
    order: oneOfArg(['market']).optional(),
    max_slippage: z.number().nonnegative().optional().meta({ allowed: 'a number of at least 0' }),
    stop_loss: priceArg,
    take_profit: priceArg,
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
  writes: true,
  async run({ confirm, ...given }, { reader, instruments }): Promise<Answer> {
    const [item] = await instruments.resolve([given.symbol]);
    const { symbol } = item!;
    const terms: SignalRequest = { ...given, symbol };
    const { error } = SignalRequest.safeParse(terms);
    if (error)
      throw invalidArgument(
        fieldFaults(error, SignalRequest, terms)
          .map(({ field, rule }) => `${field} ${rule}`)
          .join('; '),
      );
    const { direction, stop_loss, take_profit } = given;
    const { quotes, missing, envelope: fresh } = await instruments.freshness([item!]);
    const quote = quotes.get(symbol);
    const entry = given.entry ?? (direction === 'buy' ? quote?.ask : quote?.bid);
    if (entry === undefined) throw new ServiceError('no_quote', `There is no quote for ${symbol} yet`);
    const sign = direction === 'buy' ? 1 : -1;
    const [risk, reward] = [(entry - stop_loss) * sign, (take_profit - entry) * sign];
    if (risk <= 0 || reward <= 0)
      throw new ToolError(
        `Levels out of order (levels_out_of_order): for a ${direction}, stop_loss must be ${sign > 0 ? 'below' : 'above'} entry and take_profit ${sign > 0 ? 'above' : 'below'} it.`,
        'levels_out_of_order',
      );
    const envelope = { ...fresh, gaps: missing, next: null };
    const pips = (distance: number): number => rounded(distance / item!.pip_size, 1);
    const figures = { risk_pips: pips(risk), reward_pips: pips(reward), reward_to_risk: rounded(reward / risk, 2) };
    const at = given.order ? `at the market, now ${entry}` : `at ${entry}`;
    const shown = `${direction} ${symbol} ${at}, stop ${stop_loss}, target ${take_profit}`;
    if (!confirm)
      return {
        summary: `NOT PUBLISHED. Preview: ${shown}, reward to risk ${figures.reward_to_risk}. Ask the user, then repeat with confirm: true`,
        ...envelope,
        published: false,
        signal: { ...terms, ...figures },
        quote: quote ? { bid: quote.bid, ask: quote.ask, stale: quote.stale } : null,
        to_publish: 'repeat the same arguments with confirm: true',
      };
    // A repetition of the same call within 24 hours gets the first response and publishes nothing.
    const body = JSON.stringify(terms);
    const key = `mcp-${sha256Hex(canonicalJson(terms))}`;
    const { body: published } = await reader.reply<PublishedSignal>('/api/signals', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    });
    const isRepeated = reader.now - Date.parse(published.timestamp) > REPEATED_MS;
    return {
      summary: isRepeated
        ? `NOT PUBLISHED again: the same terms were published as ${published.id} at ${published.timestamp}`
        : `PUBLISHED ${published.id}: ${shown} (${published.order} order)`,
      ...envelope,
      published: !isRepeated,
      signal: { ...published, ...figures },
    };
  },
});
