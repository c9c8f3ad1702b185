// Handlers of the endpoints under /api/ai/.
import { type AiSentiment, AiSentimentRequest } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import { symbolNotFound } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { readJson } from '../http/json-body.ts';
import type { AiCalls } from './ai-calls.ts';
import type { Briefs } from './brief.ts';
import type { Models } from './models.ts';
import { CATEGORY_OF_TYPE } from './scorer.ts';

export interface AiHandlersOptions {
  readonly calls: AiCalls;
  readonly models: Models;
  readonly briefs: Briefs;
  /** The canonical symbol for a code, or `undefined` if there is no such instrument. */
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly spec: (symbol: MarketSymbol) => InstrumentSpec;
}

export class AiHandlers {
  readonly #options: AiHandlersOptions;

  constructor(options: AiHandlersOptions) {
    this.#options = options;
  }

  /** The allowance is checked before the parameters, as everywhere. A request with invalid parameters costs no call. */
  sentiment(request: Request, { account }: Caller, now: number, onCounted = () => {}): Promise<string> {
    const { calls, models, spec } = this.#options;
    const { signal } = request;
    const work = async (onAsked: () => void): Promise<string> => {
      const { text, symbol: code, model } = (await readJson(request, AiSentimentRequest)).value;
      const symbol = code === undefined ? null : this.#known(code);
      const category = symbol && CATEGORY_OF_TYPE[spec(symbol).type];
      const [score] = await models.score([{ text, category, symbol, origin: account.publicId }], {
        model,
        signal,
        onAsked,
      });
      const response: AiSentiment = {
        sentiment: score!.sentiment,
        sentiment_score: score!.score,
        model: score!.model,
      };
      return JSON.stringify(response);
    };
    return calls.count(account, now, work, { signal, onCounted });
  }

  brief(code: string, { account }: Caller, now: number, onCounted = () => {}): Promise<string> {
    const { calls, briefs } = this.#options;
    const work = async (): Promise<string> => {
      const symbol = this.#known(code);
      return JSON.stringify(await withStoreErrors(() => briefs.of(symbol, now)));
    };
    // A brief is completed, and counted, even if the client disconnects.
    return calls.count(account, now, work, { onCounted });
  }

  models(): string {
    const items = this.#options.models.list();
    return JSON.stringify({ items, count: items.length });
  }

  #known(code: string): MarketSymbol {
    const symbol = this.#options.resolve(code);
    if (!symbol) throw symbolNotFound(code);
    return symbol;
  }
}
