// Every endpoint of the contract has a client method that calls it.
import { expect, test } from 'bun:test';
import { ENDPOINTS, type EndpointName } from '@tickwire/contract';
import { fakeService } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';

const signal = { symbol: 'EURUSD', direction: 'buy', entry: 1.1, stop_loss: 1, take_profit: 1.2 } as const;
const person = { name: 'Ada', password: 'p' };
const CALLS: Readonly<Record<EndpointName, (client: TickwireClient) => Promise<unknown>>> = {
  symbols: (client) => client.symbols(),
  market: (client) => client.market('{symbol}'),
  quote: (client) => client.quote('{symbol}'),
  publisherFollowers: (client) => client.publisherFollowers('{name}', { limit: 10 }),
  positionSize: (client) => client.positionSize({ symbol: 'EURUSD', entry: 1.084, stop_loss: 1.081, balance: 10_000 }),
  indicatorList: (client) => client.indicatorList(),
  indicators: (client) => client.indicators('{symbol}', ['rsi(14)', 'macd'], { interval: '2h', from: '2026-12-20' }),
  bars: (client) => client.bars('{symbol}', { interval: '2h', from: '2026-12-20' }),
  profile: (client) => client.profile('{symbol}', { level: 10 }),
  footprint: (client) => client.footprint('{symbol}', { interval: '2h', from: '2026-12-20' }),
  severalBars: (client) => client.severalBars(['EURUSD', 'XAUUSD'], { interval: '2h' }),
  ticks: (client) => client.ticks('{symbol}', { kind: 'trades' }),
  hours: (client) => client.hours('{symbol}', { from: '2026-12-20' }),
  coverage: (client) => client.coverage('{symbol}', { timeframe: '1m' }),
  quotes: (client) => client.quotes(['EURUSD']),
  signals: (client) => client.signals(),
  publishSignal: (client) => client.publishSignal(signal),
  signal: (client) => client.signal('{id}'),
  signalProof: (client) => client.signalProof('{id}'),
  closeSignal: (client) => client.closeSignal('{id}'),
  amendSignal: (client) => client.amendSignal('{id}', { stop_loss: 1 }),
  voidSignal: (client) => client.admin.voidSignal('{id}', 'A bad tick'),
  signingKey: (client) => client.account.signingKey(),
  setSigningKey: (client) => client.account.setSigningKey(null),
  signalLog: (client) => client.signalLog(),
  signalHead: (client) => client.signalHead(),
  signalHeads: (client) => client.signalHeads(),
  evidence: (client) => client.evidence('{day}', '{symbol}'),
  publishers: (client) => client.publishers(),
  publisher: (client) => client.publisher('{name}'),
  publisherSignals: (client) => client.publisherSignals('{name}'),
  publisherEquity: (client) => client.publisherEquity('{name}'),
  publicPublisher: (client) => client.publicPublisher('{name}'),
  publicRecords: (client) => client.publicRecords('{name}'),
  tradingViewHook: (client) => client.tradingViewHook('{token}', { ...signal, entry: '1.1' }),
  news: (client) => client.news(),
  newsSentiment: (client) => client.newsSentiment(),
  newsCalibration: (client) => client.newsCalibration(),
  newsSources: (client) => client.newsSources(),
  ingestNews: (client) => client.ingestNews([{ title: 'Gold holds' }, { title: 'Gold rises' }]),
  aiSentiment: (client) => client.aiSentiment({ text: 'Gold' }),
  aiBrief: (client) => client.aiBrief('{symbol}'),
  aiModels: (client) => client.aiModels(),
  registration: (client) => client.account.registration(),
  setUp: (client) => client.account.setUp({ token: 't', ...person }),
  signUp: (client) => client.account.signUp(person),
  signIn: (client) => client.account.signIn(person),
  signOut: (client) => client.account.signOut(),
  signOutEverywhere: (client) => client.account.signOutEverywhere(),
  changePassword: (client) => client.account.changePassword({ password: 'p', new_password: 'q' }),
  deleteAccount: (client) => client.account.delete({ password: 'p' }),
  account: (client) => client.account.get(),
  sessions: (client) => client.account.sessions(),
  revokeSession: (client) => client.account.revokeSession('{session}'),
  twoFactor: (client) => client.account.twoFactor(),
  setUpTwoFactor: (client) => client.account.setUpTwoFactor('p'),
  confirmTwoFactor: (client) => client.account.confirmTwoFactor('1'),
  disableTwoFactor: (client) => client.account.disableTwoFactor({ password: 'p', code: '1' }),
  keys: (client) => client.keys.list(),
  createKey: (client) => client.keys.create({ name: 'bot' }),
  rotateKey: (client) => client.keys.rotate('{key}', { overlap_hours: 24 }),
  revokeKey: (client) => client.keys.revoke('{key}'),
  usageHistory: (client) => client.usageHistory(),
  accounts: (client) => client.admin.accounts(),
  setAccountTier: (client) => client.admin.setTier('{account}', 'pro'),
  disableAccount: (client) => client.admin.disable('{account}'),
  enableAccount: (client) => client.admin.enable('{account}'),
  streams: (client) => client.admin.streams(),
  invitations: (client) => client.admin.invitations(),
  createInvitation: (client) => client.admin.createInvitation({ tier: 'pro' }),
  revokeInvitation: (client) => client.admin.revokeInvitation('{invitation}'),
  auditLog: (client) => client.admin.auditLog(),
  session: (client) => client.session(),
  usage: (client) => client.usage(),
  feeds: (client) => client.feeds(),
  ingestTicks: (client) => client.ingestTicks([{ symbol: 'EURUSD', time: 1, bid: 1, ask: 2 }]),
  healthz: (client) => client.healthz(),
  readyz: (client) => client.readyz(),
};

/** Endpoints of `client.account`, `client.keys` and `client.admin`, whose methods have shorter names. */
const GROUPED = /^\/api\/(account|keys|admin)\b/;

test('calls every endpoint by a method of its name, or by one in its group', async () => {
  const actual: unknown[] = [];
  await using service = fakeService({
    rest: async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname);
      const body = await request.text();
      actual.push([request.method, path, request.headers.has('Idempotency-Key'), body.split('\n').length]);
      return Response.json({});
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  const expected: unknown[] = [];
  for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
    if (!GROUPED.test(endpoint.path)) expect(client).toHaveProperty(name, expect.any(Function));
    await CALLS[name as EndpointName](client);
    expected.push([endpoint.method, endpoint.path, 'idempotent' in endpoint, name === 'ingestNews' ? 2 : 1]);
  }
  expect(actual).toEqual(expected);
});

test('sends no key header without a key', async () => {
  await using service = fakeService({
    rest: (request) => Response.json({ has: request.headers.has('X-API-Key') }),
  });
  expect(await new TickwireClient({ url: service.url }).session()).toEqual({ has: false } as never);
});
