// What the service sends to webhooks, for the OpenAPI document.
import { WEBHOOK_EXAMPLE } from '../alerts/examples.ts';
import { WebhookMessage } from '../alerts/schemas.ts';
import type { SchemaSet } from './json-schema.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

export const webhooks = (set: SchemaSet) => ({
  message: {
    post: {
      operationId: 'webhookMessage',
      tags: ['Alerts'],
      summary: 'A message to a webhook',
      description:
        'Sent to the address of a webhook destination, signed by the rules of Standard Webhooks with its secret. At least once, always ' +
        'with the same `webhook-id`, and in order for each destination. Redirects are not followed.',
      security: [],
      parameters: [
        header('webhook-id', 'Id of the message, the same in every attempt', 'msg_1b5d7e8f603f9c2a'),
        header('webhook-timestamp', 'Time of the attempt, Unix time in seconds', '1772446447'),
        header(
          'webhook-signature',
          'Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA-256 over `{id}.{timestamp}.{body}`',
          'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: set.ref(WebhookMessage), example: WEBHOOK_EXAMPLE } },
      },
      responses: {
        '2XX': { description: 'The message is delivered' },
        '410': { description: 'The receiver wants no more messages: the destination is unsubscribed' },
        default: {
          description: 'The attempt failed. The message is tried again after 1, 2, 4, 8 s … for up to 24 hours',
        },
      },
    },
  },
});
