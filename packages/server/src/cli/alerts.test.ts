// `tickwire alerts`, `subscriptions`, `destinations` and `deliveries` against a service that checks every request by the contract.
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { RESPONSE_EXAMPLES } from '@tickwire/contract';
import { runHere } from '../../testing/command.fixture.ts';
import { contractService } from '../../testing/contract-service.fixture.ts';

const KEY = 'tw_key';
const service = contractService(KEY);
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.refuse(null));

const ALERT = 'alr_5d7e8f603f9c2a1b';
const DESTINATION = 'dst_2a1b5d7e8f603f9c';
const run = (...args: string[]) => runHere(args, { url: service.url, api_key: KEY });
const ran = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await run(...args);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return out;
};
const last = () => service.requests.at(-1)!;

test('creates an alert from flags and shows the secret of its webhook once', async () => {
  const out = await ran(
    ...['alerts', 'create', 'EURUSD', '--cross', 'above', '--level', '1.2', '--side', 'bid'],
    ...[
      '--webhook',
      'https://a.example.com/x,https://b.example.com',
      '--email',
      'ada@example.com',
      '--to',
      DESTINATION,
    ],
    ...['--repeat', 'once_per_bar', '--bar', '5m', '--cooldown', '60', '--expires', '2026-12-31T18:00+01:00'],
    ...['--note', 'Sell half'],
  );
  expect(last().name).toBe('createAlert');
  expect(last().body).toEqual({
    symbol: 'EURUSD',
    condition: { type: 'price', cross: 'above', level: 1.2, side: 'bid' },
    repeat: 'once_per_bar',
    interval: '5m',
    cooldown_seconds: 60,
    expires_at: '2026-12-31T17:00:00.000Z',
    deliver: [
      { channel: 'webhook', url: 'https://a.example.com/x' },
      { channel: 'webhook', url: 'https://b.example.com' },
      { channel: 'email', address: 'ada@example.com' },
      { destination: DESTINATION },
    ],
    note: 'Sell half',
  });
  expect(out).toBe(
    `Alert ${ALERT} is active: EURUSD bid crosses above 1.2, once.\n` +
      `Destination ${DESTINATION} (webhook, hooks.example.com) is active.\n` +
      '  Signing secret, shown only once: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n',
  );
});

test('creates an alert without a symbol and without destinations', async () => {
  await ran('alerts', 'create', '--headline', '--words', 'gold,silver');
  expect(last().body).toEqual({ condition: { type: 'headline', words: ['gold', 'silver'] }, deliver: [] });
});

test('lists alerts and firings as tables', async () => {
  const [head, row] = (await ran('alerts', 'list', '--symbol', 'EURUSD', '--state', 'active')).split('\n');
  expect(last().path).toBe('/api/alerts?symbol=EURUSD&state=active');
  expect(head).toMatch(/^ID +SYMBOL +CONDITION +REPEAT +STATE +FIRED +LAST FIRED +DELIVER$/);
  expect(row).toMatch(/^alr_\w+ +EURUSD +bid crosses above 1\.2 +once +active +0 +never +webhook hooks\.example\.com$/);
  const log = (await ran('alerts', 'log', ALERT, '--limit', '5', '--before', 'fir_1')).split('\n');
  expect(last().path).toBe(`/api/alerts/firings?alert=${ALERT}&before=fir_1&limit=5`);
  expect(log[1]).toMatch(/^fir_\w+ +2026-\S+Z +alr_\w+ +1\.20001 +- +EURUSD bid crossed above 1\.20000$/);
});

test('shows, pauses, resumes, tests and deletes an alert', async () => {
  expect(await ran('alerts', 'show', ALERT)).toContain('Condition  bid crosses above 1.2\n');
  expect(await ran('alerts', 'pause', ALERT)).toBe(`Alert ${ALERT} is paused.\n`);
  expect(await ran('alerts', 'resume', ALERT)).toStartWith(`Alert ${ALERT} is active.`);
  expect(await ran('alerts', 'test', ALERT)).toContain('msg_1b5d7e8f603f9c2a');
  expect(await ran('alerts', 'delete', ALERT)).toBe(`Alert ${ALERT} is deleted.\n`);
  expect(service.requests.slice(-5).map(({ name }) => name)).toEqual([
    ...(['alert', 'pauseAlert', 'resumeAlert', 'testAlert', 'deleteAlert'] as const),
  ]);
});

test('shows and sets the preferences for messages', async () => {
  const shown = 'Time zone      Europe/Berlin\nNumber format  de\n';
  expect(await ran('alerts', 'preferences')).toBe(shown);
  expect(last().name).toBe('preferences');
  expect(await ran('alerts', 'preferences', '--time-zone', 'Europe/Berlin', '--number-format', 'de')).toBe(shown);
  expect(last()).toMatchObject({ name: 'setPreferences', body: { time_zone: 'Europe/Berlin', number_format: 'de' } });
  await ran('alerts', 'preferences', '--number-format', 'fr');
  expect(last().body).toEqual({ number_format: 'fr' });
});

test('follows publishers, instruments and categories', async () => {
  const follow = async (...args: string[]) => {
    const out = await ran('subscriptions', 'follow', ...args);
    expect(last().name).toBe('createSubscription');
    return [out, last().body];
  };
  const to = [{ destination: DESTINATION }];
  expect(await follow('goldsmith', '--mirror', '--to', DESTINATION)).toEqual([
    'Subscription sub_3f9c2a1b5d7e8f60 follows publisher goldsmith.\n',
    { publisher: 'goldsmith', mirror: true, deliver: to },
  ]);
  const hook = { channel: 'webhook', url: 'https://a.example.com' };
  expect((await follow('eurusd', '--webhook', hook.url, '--events', 'filled,closed'))[1]).toEqual({
    symbol: 'eurusd',
    events: ['filled', 'closed'],
    deliver: [hook],
  });
  expect((await follow('crypto', '--to', DESTINATION))[1]).toEqual({ category: 'crypto', deliver: to });
  expect((await follow('crypto', '--as', 'publisher', '--to', DESTINATION))[1]).toEqual({
    publisher: 'crypto',
    deliver: to,
  });
});

test('lists and deletes subscriptions', async () => {
  expect(await ran('subscriptions', 'list')).toMatch(
    /\nsub_\w+ +publisher goldsmith +published, filled, closed +- +- +2026-\S+Z +webhook hooks\.example\.com\n/,
  );
  expect(await ran('subscriptions', 'delete', 'sub_1')).toContain('(publisher goldsmith) is deleted');
  expect(last().path).toBe('/api/subscriptions/sub_1');
});

test('adds, verifies, tests, lists and deletes destinations', async () => {
  expect(await ran('destinations', 'add', 'webhook', 'https://a.example.com', '--name', 'desk')).toContain('whsec_');
  expect(last().body).toEqual({ channel: 'webhook', url: 'https://a.example.com', name: 'desk' });
  await ran('destinations', 'add', 'email', 'ada@example.com');
  expect(last().body).toEqual({ channel: 'email', address: 'ada@example.com' });
  await ran('destinations', 'add', 'telegram');
  expect(last().body).toEqual({ channel: 'telegram' });
  expect(await ran('destinations', 'verify', DESTINATION, '482913')).toContain('is active');
  expect(last().body).toEqual({ code: '482913' });
  expect(await ran('destinations', 'test', DESTINATION)).toContain('msg_1b5d7e8f603f9c2a');
  expect(await ran('destinations', 'list')).toMatch(
    /\ndst_\w+ +webhook +hooks\.example\.com +- +active +0 +never +-\n/,
  );
  expect(await ran('destinations', 'delete', DESTINATION)).toContain('is deleted');
});

test('lists deliveries and replays one', async () => {
  const filters = ['--state', 'dead', '--destination', DESTINATION, '--alert', ALERT, '--limit', '5'];
  expect(await ran('deliveries', 'list', ...filters)).toMatch(
    /\nmsg_\w+ .+ webhook +dst_\w+ +delivered +1 +23 ms +EURUSD/,
  );
  expect(last().path).toBe(`/api/deliveries?state=dead&destination=${DESTINATION}&alert=${ALERT}&limit=5`);
  expect(await ran('deliveries', 'replay', 'msg_1')).toContain('is waiting');
});

test('prints the response as JSON, a list with one document per line', async () => {
  expect(JSON.parse(await ran('alerts', 'list', '--json'))).toEqual(RESPONSE_EXAMPLES.alerts.items[0]);
  const created = await ran('alerts', 'create', 'EURUSD', '--stale', '60', '--json');
  expect(JSON.parse(created)).toEqual(RESPONSE_EXAMPLES.createAlert);
  expect(JSON.parse(await ran('deliveries', 'list', '--json'))).toEqual(RESPONSE_EXAMPLES.deliveries.items[0]);
});

test('fails with the reason of the service and status 1', async () => {
  service.refuse('too_many_alerts');
  const refused = await run('alerts', 'create', 'EURUSD', '--stale', '60', '--json');
  expect([refused.status, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/^tickwire: .+ \(too_many_alerts\)\n$/);
  service.refuse('alert_not_found');
  for (const action of ['show', 'pause', 'resume', 'delete', 'test'])
    expect(await run('alerts', action, 'alr_0')).toMatchObject({ status: 1, out: '' });
  const wrongKey = await runHere(['alerts', 'list'], { url: service.url, api_key: 'tw_other' });
  expect([wrongKey.status, wrongKey.err]).toEqual([1, expect.stringContaining('(invalid_key)')]);
});

test('fails with status 1 if the service cannot be reached or is another one', async () => {
  const gone = await runHere(['alerts', 'list'], { url: 'http://127.0.0.1:1', api_key: KEY });
  expect([gone.status, gone.err]).toEqual([1, expect.stringMatching(/^tickwire: the service at .+ cannot be reached/)]);
  await using other = Bun.serve({ port: 0, fetch: () => new Response('<html>') });
  const html = await runHere(['alerts', 'list'], { url: `http://127.0.0.1:${other.port}`, api_key: KEY });
  expect([html.status, html.err]).toEqual([1, expect.stringContaining('is not a Tickwire service')]);
});

test('fails with status 2 if the arguments are invalid, and says how they should be', async () => {
  const refused = async (...args: string[]) => {
    const { status, err } = await run(...args);
    expect(status).toBe(2);
    return err;
  };
  expect(await refused('alerts')).toContain('tickwire alerts list');
  expect(await refused('alerts', 'dance')).toContain('tickwire alerts list');
  expect(await refused('alerts', 'show')).toBe('tickwire: usage: tickwire alerts show ID [--json]\n');
  expect(await refused('alerts', 'create', 'EURUSD')).toContain('the condition is missing');
  expect(await refused('alerts', 'create', 'EURUSD', 'XAUUSD', '--stale', '1')).toContain('usage');
  expect(await refused('alerts', 'create', 'EURUSD', '--stale', '1', '--expires', 'soon')).toContain('--expires');
  expect(await refused('alerts', 'create', 'EURUSD', '--stale', '1', '--cooldown', 'x')).toContain('--cooldown');
  for (const words of [
    ['add'],
    ['add', 'fax', '1'],
    ['add', 'telegram', 'x'],
    ['add', 'webhook'],
    ['add', 'push', 'x'],
  ])
    expect(await refused('destinations', ...words)).toMatch(/usage|terminal/);
  expect(await refused('destinations', 'verify', DESTINATION)).toContain('usage');
  expect(await refused('deliveries', 'replay')).toContain('usage');
  expect(await refused('subscriptions', 'follow', 'goldsmith')).toContain('where to deliver is missing');
  expect(await refused('subscriptions', 'follow', 'gold', '--as', 'metal', '--to', DESTINATION)).toContain('--as');
  expect(await refused('subscriptions', 'follow')).toContain('usage');
  const keyless = await runHere(['alerts', 'list'], { url: service.url });
  expect([keyless.status, keyless.err]).toEqual([2, expect.stringContaining('TICKWIRE_API_KEY is missing')]);
});

test('has a help text for each command', async () => {
  for (const name of ['alerts', 'subscriptions', 'destinations', 'deliveries'])
    expect(await ran(name, '--help')).toContain(`tickwire ${name} list`);
  expect(await ran('help')).toContain('tickwire alerts ACTION');
});
