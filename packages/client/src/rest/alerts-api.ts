// Alerts, subscriptions, the destinations of their messages, and the delivery log. All calls concern the account of the key and
// need the scope `read`.
import type {
  Alert,
  AlertList,
  AlertTest,
  CreatedAlert,
  CreatedDestination,
  CreatedSubscription,
  Delivery,
  DeliveryList,
  Destination,
  DestinationList,
  DestinationRequest,
  FiringList,
  Preferences,
  PreferencesChange,
  PushKey,
  Subscription,
  SubscriptionList,
} from '../common/contract.ts';
import type {
  AlertsOptions,
  DeliveriesOptions,
  FiringsOptions,
  NewAlert,
  NewAlertFields,
  NewSubscription,
} from './alert-options.ts';
import { CalendarApi } from './calendar-api.ts';
import {
  type CallOptions,
  get,
  jsonBody,
  type PostOptions,
  patchOnce,
  postIdempotent,
  postOnce,
  remove,
} from './request.ts';

const alertPath = (id: string): string => `/api/alerts/${encodeURIComponent(id)}`;
const destinationPath = (id: string): string => `/api/destinations/${encodeURIComponent(id)}`;

/** Alerts and their delivery; part of {@link TickwireClient}. */
export class AlertsApi extends CalendarApi {
  /**
   * The alerts of the account, newest first.
   * @example const { items } = await client.alerts({ state: 'active' });
   */
  alerts(options: AlertsOptions = {}, call?: CallOptions): Promise<AlertList> {
    return get(this.rest, '/api/alerts', { ...options }, call);
  }

  /**
   * Creates an alert. A level that is already beyond the price does not fire until it is crossed. The signing secret of a new
   * webhook is only in this response, in `created_destinations`. Safe to repeat: a lost response creates no second alert.
   * @example await client.createAlert({ symbol: 'EURUSD', condition: { type: 'price', cross: 'above', level: 1.2 } });
   */
  createAlert(request: NewAlert, options?: PostOptions): Promise<CreatedAlert> {
    return postIdempotent(this.rest, '/api/alerts', jsonBody(request), options);
  }

  /**
   * One alert.
   * @example const { state, fired } = await client.alert('alr_1');
   */
  alert(id: string, call?: CallOptions): Promise<Alert> {
    return get(this.rest, alertPath(id), {}, call);
  }

  /**
   * Changes the given fields of an alert. A new condition starts anew; an alert that is done or expired becomes active. The
   * request is never repeated.
   * @example await client.changeAlert('alr_1', { note: 'Sell half' });
   */
  changeAlert(id: string, change: NewAlertFields, call?: CallOptions): Promise<CreatedAlert> {
    return patchOnce(this.rest, alertPath(id), jsonBody(change), call);
  }

  /**
   * Deletes an alert. Messages that were written before are still delivered; its firings stay in the list.
   * @example await client.deleteAlert('alr_1');
   */
  deleteAlert(id: string, call?: CallOptions): Promise<Alert> {
    return remove(this.rest, alertPath(id), call);
  }

  /**
   * Pauses an alert: it does not fire until it is resumed.
   * @example await client.pauseAlert('alr_1');
   */
  pauseAlert(id: string, call?: CallOptions): Promise<Alert> {
    return postOnce(this.rest, `${alertPath(id)}/pause`, null, call);
  }

  /**
   * Resumes an alert. It starts anew: what happened during the pause does not fire it.
   * @example await client.resumeAlert('alr_1');
   */
  resumeAlert(id: string, call?: CallOptions): Promise<Alert> {
    return postOnce(this.rest, `${alertPath(id)}/resume`, null, call);
  }

  /**
   * Sends a test message to each destination of an alert. It does not count as a firing.
   * @example const { deliveries } = await client.testAlert('alr_1');
   */
  testAlert(id: string, call?: CallOptions): Promise<AlertTest> {
    return postOnce(this.rest, `${alertPath(id)}/test`, null, call);
  }

  /**
   * What fired, newest first, of alerts and subscriptions. To page back, pass the id of the last item as `before`. Firings are
   * kept for 90 days.
   * @example const { items } = await client.firings({ alert: 'alr_1' });
   */
  firings(options: FiringsOptions = {}, call?: CallOptions): Promise<FiringList> {
    return get(this.rest, '/api/alerts/firings', { ...options }, call);
  }

  /**
   * The subscriptions of the account, newest first.
   * @example const { items } = await client.subscriptions();
   */
  subscriptions(call?: CallOptions): Promise<SubscriptionList> {
    return get(this.rest, '/api/subscriptions', {}, call);
  }

  /**
   * Follows a publisher, an instrument or a news category. Safe to repeat: a lost response creates no second subscription.
   * @example await client.createSubscription({ publisher: 'goldsmith', mirror: true, deliver: [{ destination: 'dst_1' }] });
   */
  createSubscription(request: NewSubscription, options?: PostOptions): Promise<CreatedSubscription> {
    return postIdempotent(this.rest, '/api/subscriptions', jsonBody(request), options);
  }

  /**
   * Ends a subscription. Messages that were written before are still delivered.
   * @example await client.deleteSubscription('sub_1');
   */
  deleteSubscription(id: string, call?: CallOptions): Promise<Subscription> {
    return remove(this.rest, `/api/subscriptions/${encodeURIComponent(id)}`, call);
  }

  /**
   * Where messages of the account can be delivered, oldest first.
   * @example const { items } = await client.destinations();
   */
  destinations(call?: CallOptions): Promise<DestinationList> {
    return get(this.rest, '/api/destinations', {}, call);
  }

  /**
   * Creates a destination. A webhook can be used at once; its signing secret is only in this response. The others receive a code
   * that verifies them; a Telegram chat is linked by sending `link.code` to the bot. Safe to repeat.
   * @example const { secret } = await client.createDestination({ channel: 'webhook', url: 'https://hooks.example.com/tickwire' });
   */
  createDestination(request: DestinationRequest, options?: PostOptions): Promise<CreatedDestination> {
    return postIdempotent(this.rest, '/api/destinations', jsonBody(request), options);
  }

  /**
   * Verifies a destination with the code that it received.
   * @example await client.verifyDestination('dst_1', '482913');
   */
  verifyDestination(id: string, code: string, call?: CallOptions): Promise<Destination> {
    return postOnce(this.rest, `${destinationPath(id)}/verify`, jsonBody({ code }), call);
  }

  /**
   * Sends a test message to a destination.
   * @example const { deliveries } = await client.testDestination('dst_1');
   */
  testDestination(id: string, call?: CallOptions): Promise<AlertTest> {
    return postOnce(this.rest, `${destinationPath(id)}/test`, null, call);
  }

  /**
   * Deletes a destination and its waiting messages, and removes it from all alerts and subscriptions.
   * @example await client.deleteDestination('dst_1');
   */
  deleteDestination(id: string, call?: CallOptions): Promise<Destination> {
    return remove(this.rest, destinationPath(id), call);
  }

  /**
   * The key with which a browser subscribes to push messages; `null` if push is not configured.
   * @example const { public_key } = await client.pushKey();
   */
  pushKey(call?: CallOptions): Promise<PushKey> {
    return get(this.rest, '/api/destinations/push-key', {}, call);
  }

  /**
   * Messages of the account with their state, attempts and latency, newest first. They are kept for 30 days.
   * @example const { items } = await client.deliveries({ state: 'dead' });
   */
  deliveries(options: DeliveriesOptions = {}, call?: CallOptions): Promise<DeliveryList> {
    return get(this.rest, '/api/deliveries', { ...options }, call);
  }

  /**
   * Tries a message that was given up again, for up to 24 hours and with the same id.
   * @example await client.replayDelivery('msg_1');
   */
  replayDelivery(id: string, call?: CallOptions): Promise<Delivery> {
    return postOnce(this.rest, `/api/deliveries/${encodeURIComponent(id)}/replay`, null, call);
  }

  /**
   * How messages of the account write times and numbers. Default: UTC and `en`.
   * @example const { time_zone, number_format } = await client.preferences();
   */
  preferences(call?: CallOptions): Promise<Preferences> {
    return get(this.rest, '/api/preferences', {}, call);
  }

  /**
   * Sets how messages of the account write times and numbers, from now on; fields that are left out stay. Bodies of webhooks do
   * not depend on it. The request is never repeated.
   * @example await client.setPreferences({ time_zone: 'Europe/Berlin', number_format: 'de' });
   */
  setPreferences(change: PreferencesChange, call?: CallOptions): Promise<Preferences> {
    return patchOnce(this.rest, '/api/preferences', jsonBody(change), call);
  }
}
