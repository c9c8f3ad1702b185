// Examples of the endpoints of alerts.
import type { z } from 'zod';
import type { EndpointExamples } from '../common/endpoint.ts';
import type { CreatedDestination, Delivery, Destination } from './destinations.ts';
import type { ALERT_ENDPOINTS } from './endpoints.ts';
import type { Preferences } from './preferences.ts';
import type { Alert, AlertFiring, Subscription, WebhookMessage } from './schemas.ts';

const condition = { type: 'price', cross: 'above', level: 1.2, side: 'bid' } as const;

const alert: z.output<typeof Alert> = {
  id: 'alr_5d7e8f603f9c2a1b',
  symbol: 'EURUSD',
  condition,
  repeat: 'once',
  interval: null,
  cooldown_seconds: 0,
  expires_at: null,
  deliver: [{ channel: 'webhook', destination: 'dst_2a1b5d7e8f603f9c', address: 'hooks.example.com' }],
  note: 'Sell half',
  state: 'active',
  not_checked: null,
  created_at: '2026-03-02T09:30:00.000Z',
  fired: 0,
  last_fired_at: null,
};

const destination: z.output<typeof Destination> = {
  id: 'dst_2a1b5d7e8f603f9c',
  channel: 'webhook',
  name: null,
  address: 'hooks.example.com',
  state: 'active',
  created_at: '2026-03-02T09:30:00.000Z',
  last_delivered_at: null,
  waiting: 0,
  failure: null,
};

const created: z.output<typeof CreatedDestination> = {
  ...destination,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  link: null,
};

export const FIRING_EXAMPLE: z.output<typeof AlertFiring> = {
  id: 'fir_8f603f9c2a1b5d7e',
  alert_id: alert.id,
  symbol: 'EURUSD',
  condition,
  title: 'EURUSD bid crossed above 1.20000',
  note: 'Sell half',
  time: '2026-03-02T10:14:07.312Z',
  fired_at: '2026-03-02T10:14:07.318Z',
  late: false,
  price: 1.20001,
  seq: 48_211_734,
};

const firing = FIRING_EXAMPLE;

export const WEBHOOK_EXAMPLE: z.output<typeof WebhookMessage> = {
  type: 'alert.fired',
  timestamp: firing.time,
  data: {
    alert_id: firing.alert_id,
    symbol: firing.symbol,
    condition: firing.condition,
    price: firing.price,
    seq: firing.seq,
    title: firing.title,
    note: firing.note,
    late: firing.late,
    firing_id: firing.id,
  },
};

const subscription: z.output<typeof Subscription> = {
  id: 'sub_3f9c2a1b5d7e8f60',
  publisher: { id: 'pub_7k2m9q4y', name: 'goldsmith' },
  symbol: null,
  category: null,
  events: ['published', 'filled', 'closed'],
  mirror: false,
  delay_seconds: 0,
  deliver: alert.deliver,
  created_at: '2026-03-02T09:30:00.000Z',
};

const delivery: z.output<typeof Delivery> = {
  id: 'msg_1b5d7e8f603f9c2a',
  destination: destination.id,
  channel: 'webhook',
  type: 'alert.fired',
  alert_id: alert.id,
  title: firing.title,
  state: 'delivered',
  attempts: 1,
  created_at: '2026-03-02T10:14:07.318Z',
  next_attempt_at: null,
  delivered_at: '2026-03-02T10:14:07.341Z',
  latency_ms: 23,
  reason: null,
};

const preferences: z.output<typeof Preferences> = { time_zone: 'Europe/Berlin', number_format: 'de' };

export const ALERT_EXAMPLES: EndpointExamples<typeof ALERT_ENDPOINTS> = {
  alerts: { request: '/api/alerts?symbol=EURUSD', response: { items: [alert], count: 1 } },
  createAlert: {
    request: '/api/alerts',
    body: {
      symbol: 'EURUSD',
      condition,
      repeat: 'once',
      deliver: [{ channel: 'webhook', url: 'https://hooks.example.com/tickwire' }],
      note: 'Sell half',
    },
    response: { ...alert, created_destinations: [created] },
  },
  alert: { request: `/api/alerts/${alert.id}`, response: alert },
  changeAlert: {
    request: `/api/alerts/${alert.id}`,
    body: { note: 'Sell half' },
    response: { ...alert, created_destinations: [] },
  },
  deleteAlert: { request: `/api/alerts/${alert.id}`, response: alert },
  pauseAlert: { request: `/api/alerts/${alert.id}/pause`, response: { ...alert, state: 'paused' } },
  resumeAlert: { request: `/api/alerts/${alert.id}/resume`, response: alert },
  testAlert: { request: `/api/alerts/${alert.id}/test`, response: { deliveries: [delivery.id] } },
  firings: { request: '/api/alerts/firings?limit=1', response: { items: [firing], count: 1, removed: 0 } },
  subscriptions: { request: '/api/subscriptions', response: { items: [subscription], count: 1 } },
  createSubscription: {
    request: '/api/subscriptions',
    body: { publisher: 'goldsmith', deliver: [{ destination: destination.id }] },
    response: { ...subscription, created_destinations: [] },
  },
  deleteSubscription: { request: `/api/subscriptions/${subscription.id}`, response: subscription },
  destinations: { request: '/api/destinations', response: { items: [destination], count: 1 } },
  createDestination: {
    request: '/api/destinations',
    body: { channel: 'webhook', url: 'https://hooks.example.com/tickwire' },
    response: created,
  },
  verifyDestination: {
    request: `/api/destinations/${destination.id}/verify`,
    body: { code: '482913' },
    response: destination,
  },
  testDestination: { request: `/api/destinations/${destination.id}/test`, response: { deliveries: [delivery.id] } },
  deleteDestination: { request: `/api/destinations/${destination.id}`, response: destination },
  pushKey: {
    request: '/api/destinations/push-key',
    response: {
      public_key: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
    },
  },
  deliveries: { request: '/api/deliveries?limit=1', response: { items: [delivery], count: 1 } },
  replayDelivery: {
    request: `/api/deliveries/${delivery.id}/replay`,
    response: { ...delivery, state: 'waiting', delivered_at: null, latency_ms: null },
  },
  preferences: { request: '/api/preferences', response: preferences },
  setPreferences: { request: '/api/preferences', body: preferences, response: preferences },
};
