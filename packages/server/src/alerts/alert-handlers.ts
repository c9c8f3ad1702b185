// Handlers of alerts, subscriptions, destinations and deliveries. All of them concern the caller's own account.
import {
  AlertChange,
  AlertRequest,
  type AlertsQuery,
  type CreatedDestination,
  type DeliveriesQuery,
  DestinationCode,
  DestinationRequest,
  type EndpointName,
  type FiringsQuery,
  PreferencesChange,
  SubscriptionRequest,
} from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import type { EndpointHandler, HandlerCall } from '../http/handler.ts';
import { idempotencyKey } from '../http/idempotency-cache.ts';
import type { IdempotentSecrets, SecretResponse } from '../http/idempotent-secrets.ts';
import { readJson } from '../http/json-body.ts';
import type { AlertStore } from '../store/alert-store.ts';
import { type IdOf, idsOf } from './destination-json.ts';
import { readFiring } from './firing-messages.ts';
import type { Alerts } from './open-alerts.ts';

export const ALERT_ENDPOINT_NAMES = [
  'alerts',
  'createAlert',
  'alert',
  'changeAlert',
  'deleteAlert',
  'pauseAlert',
  'resumeAlert',
  'testAlert',
  'firings',
  'subscriptions',
  'createSubscription',
  'deleteSubscription',
  'destinations',
  'createDestination',
  'verifyDestination',
  'testDestination',
  'deleteDestination',
  'pushKey',
  'deliveries',
  'replayDelivery',
  'preferences',
  'setPreferences',
] as const satisfies readonly EndpointName[];
export type AlertHandlers = { readonly [K in (typeof ALERT_ENDPOINT_NAMES)[number]]: EndpointHandler };

export interface AlertHandlersOptions {
  readonly alerts: Pick<
    Alerts,
    'service' | 'subscriptions' | 'destinations' | 'deliveries' | 'preferences' | 'delivery'
  >;
  readonly store: AlertStore;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly secrets: IdempotentSecrets;
}

export function alertHandlers({ alerts, store, resolve, secrets }: AlertHandlersOptions): AlertHandlers {
  const { service, subscriptions, destinations, deliveries, preferences, delivery } = alerts;
  /** The JSON of an object, or of a list. */
  const json =
    (work: (call: HandlerCall, account: string) => Promise<object>): EndpointHandler =>
    async (call) => {
      const result = await withStoreErrors(() => work(call, call.caller!.account.publicId));
      return JSON.stringify(Array.isArray(result) ? { items: result, count: result.length } : result);
    };
  /** Creates something that may have secrets, once per Idempotency-Key. */
  const creating = <T extends object>(
    name: string,
    schema: Parameters<typeof readJson>[1],
    create: (call: HandlerCall, value: never, idOf?: IdOf) => Promise<T>,
    withoutSecrets: (created: T) => object,
  ): EndpointHandler => {
    return async (call) => {
      const { value } = await readJson(call.request, schema);
      const body = JSON.stringify([name, value]);
      const key = idempotencyKey(call.request);
      const idOf = key === null ? undefined : idsOf(call.caller!.account.publicId, key, body);
      const work = async (): Promise<SecretResponse> => {
        const full = await withStoreErrors(() => create(call, value as never, idOf));
        return { full, stored: withoutSecrets(full) };
      };
      return secrets.once(call.request, call.caller!.account.id, body, work);
    };
  };
  const hidden = (created: CreatedDestination): CreatedDestination => ({ ...created, secret: null, link: null });
  const hiddenIn = <T extends { created_destinations: CreatedDestination[] }>(created: T): T => ({
    ...created,
    created_destinations: created.created_destinations.map(hidden),
  });

  return {
    alerts: json(({ query }, account) => {
      const { symbol, state } = query as AlertsQuery;
      // An unknown code has no alerts.
      return service.list(account, symbol === undefined ? undefined : (resolve(symbol) ?? asSymbol(symbol)), state);
    }),
    createAlert: creating(
      'createAlert',
      AlertRequest,
      ({ caller }, value: AlertRequest, idOf) => service.create(caller!.account, value, idOf),
      hiddenIn,
    ),
    alert: json(({ params }, account) => service.get(account, params.id!)),
    changeAlert: json(async ({ params, request, caller }) => {
      const { value } = await readJson(request, AlertChange);
      return service.change(caller!.account, params.id!, value);
    }),
    deleteAlert: json(({ params }, account) => service.delete(account, params.id!)),
    pauseAlert: json(({ params }, account) => service.pause(account, params.id!)),
    resumeAlert: json(({ params, caller }) => service.resume(caller!.account, params.id!)),
    testAlert: json(async ({ params }, account) => ({ deliveries: await service.test(account, params.id!) })),
    firings: async ({ query, caller }) => {
      const account = caller!.account.publicId;
      const { alert, before, limit } = query as FiringsQuery;
      const page = { ...(alert !== undefined && { alert }), ...(before !== undefined && { before }), limit };
      return withStoreErrors(async () => {
        const items = (await store.firings(account, page)).map(readFiring);
        return JSON.stringify({ items, count: items.length, removed: await store.removedFirings(account) });
      });
    },
    subscriptions: json(({ caller }) => subscriptions.list(caller!.account)),
    createSubscription: creating(
      'createSubscription',
      SubscriptionRequest,
      ({ caller }, value: SubscriptionRequest, idOf) => subscriptions.create(caller!.account, value, idOf),
      hiddenIn,
    ),
    deleteSubscription: json(({ params, caller }) => subscriptions.delete(caller!.account, params.id!)),
    destinations: json((_, account) => destinations.list(account)),
    createDestination: creating(
      'createDestination',
      DestinationRequest,
      ({ caller }, value: DestinationRequest, idOf) => destinations.create(caller!.account.publicId, value, idOf),
      hidden,
    ),
    verifyDestination: json(async ({ params, request }, account) => {
      const { code } = (await readJson(request, DestinationCode)).value;
      return destinations.verify(account, params.id!, code);
    }),
    testDestination: json(async ({ params }, account) => ({
      deliveries: await service.testDestination(account, params.id!),
    })),
    deleteDestination: json(({ params }, account) => destinations.delete(account, params.id!)),
    pushKey: () => JSON.stringify({ public_key: delivery.pushKey }),
    deliveries: json(({ query }, account) => deliveries.list(account, query as DeliveriesQuery)),
    replayDelivery: json(({ params, caller }) => deliveries.replay(caller!.account, params.id!)),
    preferences: json(async (_, account) => preferences.of(account)),
    setPreferences: json(async ({ request }, account) => {
      const { value } = await readJson(request, PreferencesChange);
      return preferences.change(account, value);
    }),
  };
}
