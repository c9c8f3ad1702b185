// Messages for the tests of channels and templates.
import type { WebhookMessage } from '@tickwire/contract';
import {
  DEFAULT_LOCALE,
  type EventBody,
  type MessageLocale,
  type OutgoingMessage,
} from '../../src/delivery/channel.ts';

export const ALERT: WebhookMessage = {
  type: 'alert.fired',
  timestamp: '2026-03-02T10:14:07.312Z',
  data: {
    alert_id: 'alr_5d7e8f603f9c2a1b',
    symbol: 'EURUSD',
    condition: { type: 'price', cross: 'above', level: 1.2, side: 'bid' },
    price: 1.20001,
    seq: 48_211_734,
    title: 'EURUSD bid crossed above 1.20000',
    note: 'Sell half',
    late: false,
    firing_id: 'fir_8f603f9c2a1b5d7e',
  },
};

const order = {
  id: 'sig_1',
  user: 'goldsmith',
  symbol: 'XAUUSD',
  direction: 'buy',
  entry: 2_650.5,
  stop_loss: 2_640,
  take_profit: 2_675,
  timestamp: '2026-03-02T09:00:00.000Z',
};

const signalMessage = (type: string, title: string, signal: unknown): WebhookMessage => ({
  type,
  timestamp: '2026-03-02T10:14:07.312Z',
  data: {
    ...ALERT.data,
    alert_id: 'sub_3f9c2a1b5d7e8f60',
    symbol: 'XAUUSD',
    condition: { type: 'signal', events: ['published', 'filled', 'closed'] },
    price: null,
    title,
    note: null,
    signal,
  },
});

export const PUBLISHED = signalMessage('signal.published', 'goldsmith: buy XAUUSD at 2650.50', order);
export const FILLED = signalMessage('signal.filled', 'goldsmith: XAUUSD filled at 2650.60', {
  ...order,
  status: 'active',
  state: 'open',
  filled_at: '2026-03-02T10:14:07.312Z',
  entry_price: 2_650.6,
});
export const CLOSED = signalMessage('signal.closed', 'goldsmith: XAUUSD target hit', {
  ...order,
  status: 'closed',
  pnl: 244,
  pnl_percent: 0.9206,
  pnl_r: 2.324,
  entry_price: 2_650.6,
  exit_price: 2_675,
  closed_at: '2026-03-02T10:14:07.312Z',
  close_reason: 'take_profit',
});
export const HEADLINE: WebhookMessage = {
  ...PUBLISHED,
  type: 'news.published',
  data: {
    ...ALERT.data,
    symbol: null,
    condition: { type: 'headline', category: 'macro' },
    price: null,
    note: null,
    title: 'Fed holds rates & signals <two> cuts_in *2026*',
    news: {
      title: 'Fed holds rates & signals <two> cuts_in *2026*',
      category: 'macro',
      sentiment: 'bullish',
      sentiment_score: 0.62,
      source: 'Example Wire',
      url: 'https://wire.example/a?b=1&c=<2>',
    },
  },
};
export const CALENDAR: WebhookMessage = {
  ...ALERT,
  data: {
    ...ALERT.data,
    condition: { type: 'calendar', minutes: 5, impact: 'high' },
    price: null,
    title: 'US CPI in 5 minutes',
    ...{
      calendar: {
        title: 'CPI y/y',
        time: '2026-03-02T13:30:00Z',
        country: 'US',
        impact: 'high',
        forecast: '2.9',
        previous: '3.0',
        unit: '%',
      },
    },
  },
};

export function outgoing(message: WebhookMessage = ALERT, change: Partial<EventBody> = {}): OutgoingMessage {
  return {
    id: 'msg_1b5d7e8f603f9c2a',
    type: message.type,
    title: message.data.title,
    createdAt: Date.parse('2026-03-02T10:20:07.318Z'),
    body: { message, locale: DEFAULT_LOCALE, ...change },
    attempt: 1,
  };
}

export const codeMessage = (code = '482913', locale: MessageLocale = DEFAULT_LOCALE): OutgoingMessage => ({
  id: 'msg_2c6e8f703f9c2a1b',
  type: 'destination.code',
  title: 'Code',
  createdAt: Date.parse('2026-03-02T10:20:07.318Z'),
  body: { code, locale },
  attempt: 1,
});
