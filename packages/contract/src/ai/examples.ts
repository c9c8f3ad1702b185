// Examples of model output. Every figure of the brief appears in the example of the endpoint that it cites.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { AI_ENDPOINTS } from './endpoints.ts';

const quote = { source: 'quote', path: '/api/market/EURUSD/quote' };
const bars = { source: 'bars:1h', path: '/api/market/EURUSD?timeframe=1h&bars=3' };

export const AI_EXAMPLES: EndpointExamples<typeof AI_ENDPOINTS> = {
  aiSentiment: {
    request: '/api/ai/sentiment',
    body: {
      text: 'Gold holds near its high as real yields ease',
      symbol: 'XAUUSD',
    },
    response: { sentiment: 'bullish', sentiment_score: 0.62, model: 'news-sentiment' },
  },
  aiBrief: {
    request: '/api/ai/brief/EURUSD',
    response: {
      symbol: 'EURUSD',
      text:
        'EURUSD is quoted at 1.08412 bid and 1.08424 ask. In the last three hours it traded between 1.08262 and 1.08441. ' +
        'One active signal buys at 1.084. The latest news on it reads neutral (0.05): ' +
        '“Euro-area inflation prints in line with expectations”.',
      model: 'rules',
      generated_at: '2026-03-02T11:24:07.402Z',
      citations: [
        { figure: '1.08412', value: 1.08412, ...quote },
        { figure: '1.08424', value: 1.08424, ...quote },
        { figure: '1.08262', value: 1.08262, ...bars },
        { figure: '1.08441', value: 1.08441, ...bars },
        { figure: '1.084', value: 1.084, source: 'signals', path: '/api/signals?symbol=EURUSD' },
        { figure: '0.05', value: 0.05, source: 'news', path: '/api/news?symbol=EURUSD' },
      ],
    },
  },
  // The language model is currently unavailable.
  aiModels: {
    request: '/api/ai/models',
    response: {
      items: [
        { id: 'news-sentiment', kind: 'local', tasks: ['sentiment'], available: true, version: '1', default: true },
        {
          id: 'example-llm-8b',
          kind: 'llm',
          tasks: ['sentiment', 'brief'],
          available: false,
          version: '2026-01',
          default: false,
        },
      ],
      count: 2,
    },
  },
};
