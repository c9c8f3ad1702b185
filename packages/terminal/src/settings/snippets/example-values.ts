// Initial values of parameters: things that exist in this service, so that a snippet runs unchanged.
import type { CoreClient } from '@tickwire/client';
import type { Operation, SnippetParameter } from './operations.ts';
import type { Values } from './request.ts';

export interface Known {
  /** Two instruments that have a price. */
  readonly symbols: readonly string[];
  /** A perpetual; that of a venue if none has a price here. */
  readonly perpetual: string;
  /** The newest signal; '' if there is none. */
  readonly signal: string;
  /** The newest alert of the account; '' if there is none. */
  readonly alert: string;
  /** The newest replay session of the account; '' if there is none. */
  readonly replay: string;
  /** The newest chat channel of the account; '' if there is none. */
  readonly chatChannel: string;
  /** The newest headline; '' if there is none. */
  readonly headline: string;
  /** A document of the account; `null` if there is none, or without a session. */
  readonly document: { readonly kind: string; readonly name: string } | null;
  /** A publisher; '' if there is none. */
  readonly publisher: string;
  /** A signal that is valid at current prices, unlike the example in the OpenAPI document. */
  readonly order: ReturnType<typeof orderAt> | null;
}

export async function known(client: CoreClient): Promise<Known> {
  const [quotes, signals, publishers, alerts, replays, chatChannels, news, documents] = await Promise.all([
    client.quotes(),
    client.signals({ status: 'all', limit: 1 }),
    client.publishers({ limit: 1 }),
    client.alerts(),
    client.replaySessions(),
    client.chatChannels().catch(() => null),
    client.news({ limit: 1, detail: true }),
    client.account.documents.list().catch(() => null),
  ]);
  const usual = ['EURUSD', 'XAUUSD'];
  const there = quotes.items.map(({ symbol }) => symbol);
  const symbols = [...usual.filter((each) => there.includes(each)), ...there.filter((each) => !usual.includes(each))];
  const [first] = symbols;
  const quote = quotes.items.find(({ symbol }) => symbol === first);
  return {
    symbols: symbols.slice(0, 2),
    perpetual: there.find((symbol) => symbol.endsWith('.P')) ?? 'BTCUSDT.P',
    signal: signals.items[0]?.id ?? '',
    alert: alerts.items[0]?.id ?? '',
    replay: replays.items.at(-1)?.id ?? '',
    chatChannel: chatChannels?.items.at(-1)?.id ?? '',
    headline: news.items[0]?.id ?? '',
    document: documents?.items[0] ?? null,
    publisher: publishers.items[0]?.name ?? '',
    order: quote && quote.ask !== null ? orderAt(quote.symbol, quote.ask) : null,
  };
}

const DAY_SECONDS = 86_400;

/** A buy at the ask with a stop 1% below and a target 2% above, with the decimals of the price. */
function orderAt(symbol: string, ask: number) {
  const decimals = String(ask).split('.')[1]?.length ?? 0;
  const at = (factor: number): number => Number((ask * factor).toFixed(decimals));
  return { symbol, direction: 'buy', entry: ask, stop_loss: at(0.99), take_profit: at(1.02) };
}

export function exampleValues(
  { name: operation, method, parameters }: Operation,
  { symbols, perpetual, signal, alert, replay, chatChannel, headline, document, publisher, order }: Known,
): Values {
  const now = Math.floor(Date.now() / 1000);
  const required: Values = {
    symbol: symbols[0] ?? '',
    entry: String(order?.entry ?? ''),
    stop_loss: String(order?.stop_loss ?? ''),
    balance: '10000',
    resolution: '60',
    from: String(now - DAY_SECONDS),
    to: String(now),
  };
  const example = ({ name, in: place, schema, required: isRequired }: SnippetParameter): string => {
    if (place === 'path') {
      if (name === 'symbol') return operation === 'perpetual' ? perpetual : (symbols[0] ?? '');
      if (name === 'venue') return 'all';
      if (name === 'day') return new Date().toISOString().slice(0, 10);
      // Pasting a snippet must not change an existing signal, alert, key or account.
      if (method !== 'GET') return '';
      if (name === 'id') {
        const ids = {
          alert,
          newsItem: headline,
          replaySession: replay,
          practiceRecord: replay,
          chatMessages: chatChannel,
        };
        return ids[operation as keyof typeof ids] ?? signal;
      }
      if (name === 'kind') return document?.kind ?? '';
      if (name === 'document') return document?.name ?? '';
      return name === 'name' ? publisher : '';
    }
    if (isRequired && required[name]) return required[name];
    if (name === 'symbols') return symbols.join(',');
    if (operation === 'udfHistory' && name === 'countback') return '300';
    if (operation === 'indicators' && name === 'name') return 'rsi';
    if (schema.type === 'array') return schema.items?.enum?.[0] ?? '';
    return schema.type === 'boolean' ? '' : String(schema.default ?? '');
  };
  return Object.fromEntries(parameters.map((each) => [each.name, example(each)]));
}

/** The endpoint with a body that is valid at current prices. */
export function withLiveBody(operation: Operation, { order }: Known): Operation {
  if (order === null) return operation;
  const { symbol, direction, entry, stop_loss, take_profit } = order;
  const text = `${symbol} ${direction} ${entry} SL ${stop_loss} TP ${take_profit}`;
  const documents = { publishSignal: [order], parseSignal: [{ text }] }[operation.name];
  return documents ? { ...operation, body: { lines: false, documents } } : operation;
}
