// What the endpoints under /api/ai/ answer, as JSON text.
import { type AiSentiment, AiSentimentRequest, type NewsCategory } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import { ApiError } from '../http/api-error.ts';
import { available } from '../http/available.ts';
import { readJson } from '../http/json-body.ts';
import type { Briefs } from './brief.ts';
import type { AiCalls } from './calls.ts';
import type { Models } from './models.ts';

export interface AiAnswersOptions {
  readonly calls: AiCalls;
  readonly models: Models;
  readonly briefs: Briefs;
  /** The canonical symbol for what a caller wrote, or undefined. */
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly spec: (symbol: MarketSymbol) => InstrumentSpec;
}

export class AiAnswers {
  readonly #options: AiAnswersOptions;

  constructor(options: AiAnswersOptions) {
    this.#options = options;
  }

  /** The allowance goes before the parameters, as everywhere; what is wrong with those costs no call. */
  sentiment(request: Request, { account }: Caller, now: number): Promise<string> {
    const { calls, models, spec } = this.#options;
    return calls.count(account, now, async () => {
      const { text, symbol: code, model } = (await readJson(request, AiSentimentRequest)).value;
      const symbol = code === undefined ? null : this.#known(code);
      const category = symbol && CATEGORIES[spec(symbol).type];
      const [score] = await models.score([{ text, category, symbol }], { model, signal: request.signal });
      const answer: AiSentiment = {
        sentiment: score!.sentiment,
        sentiment_score: score!.score,
        model: score!.model,
      };
      return JSON.stringify(answer);
    });
  }

  brief(code: string, { account }: Caller, now: number): Promise<string> {
    const { calls, briefs } = this.#options;
    return calls.count(account, now, async () => {
      const symbol = this.#known(code);
      return JSON.stringify(await available(() => briefs.of(symbol, now)));
    });
  }

  models(): string {
    const items = this.#options.models.list();
    return JSON.stringify({ items, count: items.length });
  }

  #known(code: string): MarketSymbol {
    const symbol = this.#options.resolve(code);
    if (symbol) return symbol;
    throw new ApiError(
      'symbol_not_found',
      `No instrument is called ${JSON.stringify(code.slice(0, 64))}; /api/symbols lists them.`,
    );
  }
}

/** Which thresholds hold for a text on an instrument of this type. */
const CATEGORIES: Readonly<Record<InstrumentSpec['type'], NewsCategory>> = {
  forex: 'forex',
  metal: 'gold',
  crypto: 'crypto',
  index: 'macro',
  energy: 'macro',
  equity: 'macro',
};
