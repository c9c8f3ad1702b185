// Provokes each error of alerts as a user would, for the test of the whole error catalogue.
import type { CreatedDestination } from '@tickwire/contract';
import type { RunningService } from './service.fixture.ts';

export type AlertErrorCode =
  | 'alert_not_found'
  | 'subscription_not_found'
  | 'destination_not_found'
  | 'delivery_not_found'
  | 'invalid_condition'
  | 'too_many_alerts'
  | 'too_many_destinations'
  | 'channel_not_configured'
  | 'private_address'
  | 'destination_unverified'
  | 'wrong_destination_code'
  | 'not_replayable';

type Provoke = () => Promise<{ readonly response: Response }>;

const LEVEL = { type: 'price', cross: 'above', level: 99, side: 'bid' };
const CHAT = { channel: 'discord', url: 'https://discord.com/api/webhooks/1/secret' };

/** A name that nobody has: no message ever reaches it. */
const hook = (n = 0) => ({ channel: 'webhook', url: `https://hooks.example/hook/${n}` });

/** Needs a service that refuses private addresses and has no Telegram bot. */
export function alertErrors(service: () => RunningService): Readonly<Record<AlertErrorCode, Provoke>> {
  const provoke =
    (work: (key: string) => Promise<Response>, tier = 'premium'): Provoke =>
    async () => ({ response: await work((await service().key(tier, ['read', 'alerts'])).key) });
  const send = (key: string, method: string, path: string, body?: object): Promise<Response> =>
    fetch(service().url + path, {
      method,
      headers: { 'X-API-Key': key },
      ...(body && { body: JSON.stringify(body) }),
    });
  const alert = (changes: object = {}): object => ({ symbol: 'EURUSD', condition: LEVEL, ...changes });
  const destination = async (key: string, address: object): Promise<CreatedDestination> =>
    (await (await send(key, 'POST', '/api/destinations', address)).json()) as CreatedDestination;
  /** The response to the first request that fails. */
  const untilRejected = async (request: (n: number) => Promise<Response>): Promise<Response> => {
    for (let n = 0; ; n++) {
      const response = await request(n);
      if (!response.ok) return response;
    }
  };

  return {
    alert_not_found: provoke((key) => send(key, 'DELETE', '/api/alerts/alr_none')),
    subscription_not_found: provoke((key) => send(key, 'DELETE', '/api/subscriptions/sub_none')),
    destination_not_found: provoke((key) => send(key, 'DELETE', '/api/destinations/dst_none')),
    delivery_not_found: provoke((key) => send(key, 'POST', '/api/deliveries/msg_none/replay')),
    invalid_condition: provoke((key) => send(key, 'POST', '/api/alerts', { condition: LEVEL })),
    too_many_alerts: provoke((key) => untilRejected(() => send(key, 'POST', '/api/alerts', alert())), 'free'),
    too_many_destinations: provoke((key) => untilRejected((n) => send(key, 'POST', '/api/destinations', hook(n)))),
    channel_not_configured: provoke((key) => send(key, 'POST', '/api/destinations', { channel: 'telegram' })),
    private_address: provoke((key) =>
      send(key, 'POST', '/api/destinations', { channel: 'webhook', url: 'http://127.0.0.1:9/hook' }),
    ),
    destination_unverified: provoke(async (key) =>
      send(key, 'POST', `/api/destinations/${(await destination(key, CHAT)).id}/test`),
    ),
    wrong_destination_code: provoke(async (key) =>
      send(key, 'POST', `/api/destinations/${(await destination(key, CHAT)).id}/verify`, { code: 'none-such' }),
    ),
    not_replayable: provoke(async (key) => {
      const { id } = await destination(key, hook());
      const test = await send(key, 'POST', `/api/destinations/${id}/test`);
      const { deliveries } = (await test.json()) as { deliveries: string[] };
      return send(key, 'POST', `/api/deliveries/${deliveries[0]}/replay`);
    }),
  };
}
