// Every endpoint of the contract has a client method that calls it.
import { expect, test } from 'bun:test';
import { ENDPOINTS, type EndpointName } from '@tickwire/contract';
import { fakeService } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';

const signal = { symbol: 'EURUSD', direction: 'buy', entry: 1.1, stop_loss: 1, take_profit: 1.2 } as const;
const condition = { type: 'price', cross: 'above', level: 1.2 } as const;
const person = { name: 'Ada', password: 'p' };
/** Streams of the client use WebSocket. */
type CalledName = Exclude<EndpointName, 'eventStream'>;
const CALLS: Readonly<Record<CalledName, (client: TickwireClient) => Promise<unknown>>> = {
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
  perpetual: (client) => client.perpetual('{symbol}', { limit: 5 }),
  priceSource: (client) => client.priceSource('{symbol}'),
  hours: (client) => client.hours('{symbol}', { from: '2026-12-20' }),
  coverage: (client) => client.coverage('{symbol}', { timeframe: '1m' }),
  quotes: (client) => client.quotes(['EURUSD']),
  udfConfig: (client) => client.udf.config(),
  udfSymbol: (client) => client.udf.symbol({ symbol: 'EURUSD' }),
  udfSearch: (client) => client.udf.search({ query: 'eur', limit: 5 }),
  udfHistory: (client) => client.udf.history({ symbol: 'EURUSD', resolution: '60', to: 1_772_449_200, countback: 300 }),
  udfMarks: (client) =>
    client.udf.marks({ symbol: 'EURUSD', resolution: '60', from: 1_772_442_000, to: 1_772_449_200 }),
  udfQuotes: (client) => client.udf.quotes({ symbols: ['EURUSD'] }),
  udfTime: (client) => client.udf.time(),
  overview: (client) => client.overview({ symbols: ['EURUSD'] }),
  signals: (client) => client.signals(),
  publishSignal: (client) => client.publishSignal(signal),
  parseSignal: (client) => client.parseSignal('Gold sell now SL 3343 TP 3320'),
  signal: (client) => client.signal('{id}'),
  signalProof: (client) => client.signalProof('{id}'),
  closeSignal: (client) => client.closeSignal('{id}'),
  amendSignal: (client) => client.amendSignal('{id}', { stop_loss: 1 }),
  voidSignal: (client) => client.admin.voidSignal('{id}', 'A bad tick'),
  signingKey: (client) => client.account.signingKey(),
  confirmSession: (client) => client.account.confirm({ password: 'correct horse battery' }),
  setSigningKey: (client) => client.account.setSigningKey(null),
  signalLog: (client) => client.signalLog(),
  signalHead: (client) => client.signalHead(),
  signalHeads: (client) => client.signalHeads(),
  publicSignalHead: (client) => client.publicSignalHead(),
  publicSignalHeads: (client) => client.publicSignalHeads(),
  evidence: (client) => client.evidence('{day}', '{symbol}'),
  publishers: (client) => client.publishers(),
  publisher: (client) => client.publisher('{name}'),
  publisherSignals: (client) => client.publisherSignals('{name}'),
  publisherEquity: (client) => client.publisherEquity('{name}'),
  publicPublisher: (client) => client.publicPublisher('{name}'),
  publicRecords: (client) => client.publicRecords('{name}'),
  tradingViewHook: (client) => client.tradingViewHook('{token}', { ...signal, entry: '1.1' }),
  news: (client) => client.news(),
  newsItem: (client) => client.newsItem('{id}'),
  newsSentiment: (client) => client.newsSentiment(),
  newsCalibration: (client) => client.newsCalibration(),
  newsSources: (client) => client.newsSources(),
  ingestNews: (client) => client.ingestNews([{ title: 'Gold holds' }, { title: 'Gold rises' }]),
  calendar: (client) => client.calendar({ impact: 'high' }),
  eventWindow: (client) => client.eventWindow('{symbol}', { before: 5 }),
  calendarSources: (client) => client.calendarSources(),
  ingestCalendar: (client) => client.ingestCalendar([{ title: 'CPI', country: 'US', time: '2026-03-11' }]),
  aiSentiment: (client) => client.aiSentiment({ text: 'Gold' }),
  aiBrief: (client) => client.aiBrief('{symbol}'),
  aiModels: (client) => client.aiModels(),
  alerts: (client) => client.alerts({ symbol: 'EURUSD' }),
  createAlert: (client) => client.createAlert({ symbol: 'EURUSD', condition }),
  replaySessions: (client) => client.replaySessions(),
  createReplay: (client) => client.createReplay({ symbols: ['EURUSD'], from: '2026-03-02' }),
  replaySession: (client) => client.replaySession('{id}'),
  changeReplay: (client) => client.changeReplay('{id}', { state: 'playing' }),
  deleteReplay: (client) => client.deleteReplay('{id}'),
  practiceRecord: (client) => client.practiceRecord('{id}'),
  savePractice: (client) => client.savePractice('{id}', { name: 'Breakouts' }),
  savedPractice: (client) => client.savedPractice(),
  deleteSavedPractice: (client) => client.deleteSavedPractice('{id}'),
  alert: (client) => client.alert('{id}'),
  changeAlert: (client) => client.changeAlert('{id}', { note: 'Sell half' }),
  deleteAlert: (client) => client.deleteAlert('{id}'),
  pauseAlert: (client) => client.pauseAlert('{id}'),
  resumeAlert: (client) => client.resumeAlert('{id}'),
  testAlert: (client) => client.testAlert('{id}'),
  firings: (client) => client.firings({ limit: 5 }),
  subscriptions: (client) => client.subscriptions(),
  createSubscription: (client) => client.createSubscription({ category: 'gold', deliver: [{ destination: 'dst_1' }] }),
  deleteSubscription: (client) => client.deleteSubscription('{id}'),
  destinations: (client) => client.destinations(),
  createDestination: (client) => client.createDestination({ channel: 'webhook', url: 'https://hooks.example.com' }),
  verifyDestination: (client) => client.verifyDestination('{id}', '482913'),
  testDestination: (client) => client.testDestination('{id}'),
  deleteDestination: (client) => client.deleteDestination('{id}'),
  pushKey: (client) => client.pushKey(),
  chatChannels: (client) => client.chatChannels(),
  createChatChannel: (client) => client.createChatChannel({ platform: 'telegram' }),
  changeChatChannel: (client) => client.changeChatChannel('{id}', { mode: 'automatic' }),
  deleteChatChannel: (client) => client.deleteChatChannel('{id}'),
  chatMessages: (client) => client.chatMessages('{id}', { limit: 5 }),
  signalEdits: (client) => client.signalEdits('{id}'),
  preferences: (client) => client.preferences(),
  setPreferences: (client) => client.setPreferences({ time_zone: 'Europe/Berlin' }),
  deliveries: (client) => client.deliveries({ state: 'dead' }),
  replayDelivery: (client) => client.replayDelivery('{id}'),
  registration: (client) => client.account.registration(),
  setUp: (client) => client.account.setUp({ token: 't', ...person }),
  checkSetup: (client) => client.account.checkSetup({ token: 't' }),
  checkInvitation: (client) => client.account.checkInvitation({ token: 't' }),
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
  documents: (client) => client.account.documents.list({ kind: 'layout' }),
  document: (client) => client.account.documents.get('{kind}' as 'layout', '{document}'),
  putDocument: (client) => client.account.documents.put('{kind}' as 'layout', '{document}', { value: {} }),
  deleteDocument: (client) => client.account.documents.remove('{kind}' as 'layout', '{document}'),
  keys: (client) => client.keys.list(),
  createKey: (client) => client.keys.create({ name: 'bot' }),
  rotateKey: (client) => client.keys.rotate('{key}', { overlap_hours: 24 }),
  revokeKey: (client) => client.keys.revoke('{key}'),
  links: (client) => client.links.list(),
  createLink: (client) => client.links.create({ name: 'sheet', path: '/api/quotes' }),
  revokeLink: (client) => client.links.revoke('{link}'),
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
  languageModel: (client) => client.admin.languageModel(),
  markets: (client) => client.admin.markets(),
  changeMarkets: (client) => client.admin.changeMarkets({ markets: 'live' }),
  session: (client) => client.session(),
  usage: (client) => client.usage(),
  venueInstruments: (client) => client.venueInstruments('{venue}', { q: 'atom' }),
  addInstrument: (client) => client.addInstrument({ venue: 'binance', symbol: 'ATOMUSDT' }),
  feeds: (client) => client.feeds(),
  ingestTicks: (client) => client.ingestTicks([{ symbol: 'EURUSD', time: 1, bid: 1, ask: 2 }]),
  healthz: (client) => client.healthz(),
  readyz: (client) => client.readyz(),
};

/** Endpoints of `client.account`, `client.keys`, `client.links`, `client.udf` and `client.admin`, whose methods have shorter names. */
const GROUPED = /^\/(api\/(account|keys|links|admin)|udf)\b/;

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
    if (name === 'eventStream') continue;
    if (!GROUPED.test(endpoint.path)) expect(client).toHaveProperty(name, expect.any(Function));
    await CALLS[name as CalledName](client);
    expected.push([endpoint.method, endpoint.path, 'idempotent' in endpoint, name === 'ingestNews' ? 2 : 1]);
  }
  expect(actual).toEqual(expected);
});

test('asks for any spelling of a symbol in a path', async () => {
  await using service = fakeService({ rest: (request) => Response.json({ path: new URL(request.url).pathname }) });
  const client = new TickwireClient({ url: service.url });
  const pathFor = async (symbol: string) => ((await client.quote(symbol)) as unknown as { path: string }).path;
  expect(await pathFor('BTCUSDT.P')).toBe('/api/market/BTCUSDT.P/quote');
  expect(await pathFor('BTC/USDT:USDT')).toBe('/api/market/BTC%2FUSDT%3AUSDT/quote');
});

test('sends no key header without a key', async () => {
  await using service = fakeService({
    rest: (request) => Response.json({ has: request.headers.has('X-API-Key') }),
  });
  expect(await new TickwireClient({ url: service.url }).session()).toEqual({ has: false } as never);
});

test('a call that is kept alive goes on without its page', async () => {
  const seen: RequestInit[] = [];
  const client = new TickwireClient({
    url: 'http://service.test',
    apiKey: 'k',
    fetch: async (_, init) => {
      seen.push(init);
      return Response.json({});
    },
  });
  await client.deleteReplay('rpl_1', { keepalive: true });
  await client.deleteReplay('rpl_1');
  expect(seen.map(({ keepalive }) => keepalive)).toEqual([true, undefined]);
});
