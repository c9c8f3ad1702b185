// Errors about alerts, destinations and deliveries.
import { entry } from '../common/errors.ts';

export const ALERT_ERRORS = {
  alert_not_found: entry({ status: 404 }, 'Alert not found', 'The account has no alert with this id.'),
  subscription_not_found: entry(
    { status: 404 },
    'Subscription not found',
    'The account has no subscription with this id.',
  ),
  destination_not_found: entry(
    { status: 404 },
    'Destination not found',
    'The account has no destination with this id.',
  ),
  delivery_not_found: entry({ status: 404 }, 'Message not found', 'The account has no message with this id.'),
  invalid_condition: entry(
    { status: 422 },
    'Condition not possible',
    'The condition cannot be judged. It needs a symbol, combines two moments, names an unknown indicator or line, or the feed of the instrument lacks what it needs. The message says which.',
  ),
  too_many_alerts: entry(
    { status: 409 },
    'Too many alerts',
    'The account has as many active alerts and subscriptions as its tier allows. Delete one first.',
  ),
  too_many_destinations: entry(
    { status: 409 },
    'Too many destinations',
    'The account has as many destinations as it may have. Delete one first.',
  ),
  channel_not_configured: entry(
    { status: 422 },
    'Channel not configured',
    'The operator has not configured this channel. The message names the settings it needs.',
  ),
  private_address: entry(
    { status: 422 },
    'Private address',
    'The address belongs to the network of the service or to nobody, and the operator does not allow such addresses.',
  ),
  destination_unverified: entry(
    { status: 409 },
    'Destination not verified',
    'The destination must be verified with its code before it gets messages.',
  ),
  wrong_destination_code: entry(
    { status: 422 },
    'Wrong code',
    'The code is not that of the destination, or it has expired. After five wrong codes a new destination is needed.',
  ),
  not_replayable: entry(
    { status: 409 },
    'Not replayable',
    'Only a message that was given up can be replayed. The message is waiting or was delivered.',
  ),
};
