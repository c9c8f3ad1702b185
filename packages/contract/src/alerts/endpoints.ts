// Endpoints for alerts, subscriptions, destinations and deliveries. They concern the caller's own account.
import { endpoint, READ } from '../common/endpoint.ts';
import {
  CreatedDestination,
  DeliveriesQuery,
  Delivery,
  DeliveryList,
  Destination,
  DestinationCode,
  DestinationList,
  DestinationRequest,
  PushKey,
} from './destinations.ts';
import { Preferences, PreferencesChange } from './preferences.ts';
import {
  Alert,
  AlertChange,
  AlertList,
  AlertRequest,
  AlertsQuery,
  AlertTest,
  CreatedAlert,
  CreatedSubscription,
  FiringList,
  FiringsQuery,
  Subscription,
  SubscriptionList,
  SubscriptionRequest,
} from './schemas.ts';

const DELIVER_ERRORS = [
  'destination_not_found',
  'too_many_destinations',
  'channel_not_configured',
  'private_address',
] as const;

const common = { tag: 'Alerts', auth: 'key', scope: 'alerts' } as const;
const ofAlert = ['alert_not_found'] as const;
const ofDestination = ['destination_not_found'] as const;

const GET = { ...READ, tag: 'Alerts' } as const;
const POST = { ...common, method: 'POST' } as const;
const DELETE = { ...common, method: 'DELETE' } as const;

export const ALERT_ENDPOINTS = {
  alerts: endpoint({
    ...GET,
    path: '/api/alerts',
    summary: 'List alerts',
    description: 'Returns the alerts of the account, newest first.',
    query: AlertsQuery,
    response: AlertList,
  }),
  createAlert: endpoint({
    ...POST,
    path: '/api/alerts',
    summary: 'Create an alert',
    description:
      'The alert is checked on every event from now on. A level that the price is already beyond does not fire until it is crossed. The tier limits the active alerts.',
    body: AlertRequest,
    idempotent: true,
    status: 201,
    response: CreatedAlert,
    errors: [
      'symbol_not_found',
      'publisher_not_found',
      'invalid_condition',
      'too_many_alerts',
      ...DELIVER_ERRORS,
      'expiry_out_of_range',
    ],
  }),
  alert: endpoint({
    ...GET,
    path: '/api/alerts/{id}',
    summary: 'Get an alert',
    description: 'Returns one alert.',
    response: Alert,
    errors: ofAlert,
  }),
  changeAlert: endpoint({
    ...common,
    method: 'PATCH',
    path: '/api/alerts/{id}',
    summary: 'Change an alert',
    description:
      'Changes the given fields. A new condition starts from the current state; an alert that is done or expired becomes active.',
    body: AlertChange,
    response: CreatedAlert,
    errors: [
      ...ofAlert,
      'publisher_not_found',
      'invalid_condition',
      'too_many_alerts',
      ...DELIVER_ERRORS,
      'expiry_out_of_range',
    ],
  }),
  deleteAlert: endpoint({
    ...DELETE,
    path: '/api/alerts/{id}',
    summary: 'Delete an alert',
    description:
      'Deletes the alert. Messages that were written before are still delivered; its firings stay in the list.',
    response: Alert,
    errors: ofAlert,
  }),
  pauseAlert: endpoint({
    ...POST,
    path: '/api/alerts/{id}/pause',
    summary: 'Pause an alert',
    description: 'The alert does not fire until it is resumed.',
    response: Alert,
    errors: ofAlert,
  }),
  resumeAlert: endpoint({
    ...POST,
    path: '/api/alerts/{id}/resume',
    summary: 'Resume an alert',
    description: 'What happened during the pause does not fire the alert.',
    response: Alert,
    errors: [...ofAlert, 'too_many_alerts'],
  }),
  testAlert: endpoint({
    ...POST,
    path: '/api/alerts/{id}/test',
    summary: 'Test an alert',
    description: 'Sends a test message to each destination of the alert, at most 10 per minute and account.',
    response: AlertTest,
    errors: [...ofAlert, 'destination_unverified'],
  }),
  firings: endpoint({
    ...GET,
    path: '/api/alerts/firings',
    summary: 'List firings',
    description: 'Returns firings of the last 90 days, newest first.',
    query: FiringsQuery,
    response: FiringList,
  }),
  subscriptions: endpoint({
    ...GET,
    path: '/api/subscriptions',
    summary: 'List subscriptions',
    description: 'Returns the subscriptions of the account, newest first.',
    response: SubscriptionList,
  }),
  createSubscription: endpoint({
    ...POST,
    path: '/api/subscriptions',
    summary: 'Follow a publisher, an instrument or a news category',
    description:
      'Delivers every message, in order. A mirror posts every publication, fill and closing of a publisher to a community and never edits or deletes. The tier may delay the messages.',
    body: SubscriptionRequest,
    idempotent: true,
    status: 201,
    response: CreatedSubscription,
    errors: ['symbol_not_found', 'publisher_not_found', 'too_many_alerts', ...DELIVER_ERRORS],
  }),
  deleteSubscription: endpoint({
    ...DELETE,
    path: '/api/subscriptions/{id}',
    summary: 'Delete a subscription',
    description: 'Ends the subscription. Messages that were written before are still delivered.',
    response: Subscription,
    errors: ['subscription_not_found'],
  }),
  destinations: endpoint({
    ...GET,
    path: '/api/destinations',
    summary: 'List destinations',
    description: 'Returns where messages of the account can be delivered.',
    response: DestinationList,
  }),
  createDestination: endpoint({
    ...POST,
    path: '/api/destinations',
    summary: 'Create a destination',
    description:
      'The signing secret of a webhook is only in this response. Discord, Slack, e-mail and push destinations receive a code that verifies them; to link a Telegram chat, send the code of the response to the bot.',
    body: DestinationRequest,
    idempotent: true,
    status: 201,
    response: CreatedDestination,
    errors: ['too_many_destinations', 'channel_not_configured', 'private_address'],
  }),
  verifyDestination: endpoint({
    ...POST,
    path: '/api/destinations/{id}/verify',
    summary: 'Verify a destination',
    description: 'Takes the code that the destination received. Verifying again changes nothing.',
    body: DestinationCode,
    response: Destination,
    errors: [...ofDestination, 'wrong_destination_code'],
  }),
  testDestination: endpoint({
    ...POST,
    path: '/api/destinations/{id}/test',
    summary: 'Test a destination',
    description: 'Sends a test message to the destination, at most 10 per minute and account.',
    response: AlertTest,
    errors: [...ofDestination, 'destination_unverified'],
  }),
  deleteDestination: endpoint({
    ...DELETE,
    path: '/api/destinations/{id}',
    summary: 'Delete a destination',
    description: 'Deletes the destination and its waiting messages, and removes it from all alerts and subscriptions.',
    response: Destination,
    errors: ofDestination,
  }),
  pushKey: endpoint({
    ...GET,
    path: '/api/destinations/push-key',
    summary: 'Get the key for push messages',
    description: 'Returns the key with which a browser subscribes to push messages.',
    response: PushKey,
  }),
  deliveries: endpoint({
    ...GET,
    path: '/api/deliveries',
    summary: 'List deliveries',
    description: 'Returns the messages of the account with their state, newest first. They are kept for 30 days.',
    query: DeliveriesQuery,
    response: DeliveryList,
  }),
  replayDelivery: endpoint({
    ...POST,
    path: '/api/deliveries/{id}/replay',
    summary: 'Replay a message that was given up',
    description: 'The message is tried again for up to 24 hours, with the same id.',
    response: Delivery,
    errors: ['delivery_not_found', 'not_replayable'],
  }),
  preferences: endpoint({
    ...GET,
    path: '/api/preferences',
    summary: 'Get the preferences for messages',
    description: 'Returns how messages of the account write times and numbers. Default: UTC and `en`.',
    response: Preferences,
  }),
  setPreferences: endpoint({
    ...common,
    method: 'PATCH',
    path: '/api/preferences',
    summary: 'Set the preferences for messages',
    description: 'Changes the given fields, for new messages. Webhooks ignore preferences.',
    body: PreferencesChange,
    response: Preferences,
  }),
} as const;
