// Webhooks, signed by the rules of Standard Webhooks: the message id, the time of the attempt and the body.
import type { Channel, DestinationAddresses } from '../channel.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import { DELIVERED, failedResult, gone, isSuccess, rejected, statusOf } from './send-results.ts';

export function webhookChannel(http: OutgoingHttp, now: () => number = Date.now): Channel {
  return {
    name: 'webhook',
    async send(address, { id, body }, signal) {
      if (!('message' in body)) return rejected('webhooks are not verified by a code');
      // Loaded with the first webhook.
      const { Webhook } = await import('standardwebhooks');
      const { url, secret } = address as DestinationAddresses['webhook'];
      const payload = JSON.stringify(body.message);
      const at = new Date(now());
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, payload),
      };
      const answer = await http.post({ url, headers, body: payload, signal });
      if (isSuccess(answer)) return DELIVERED;
      // Standard Webhooks: 410 is the receiver's way to unsubscribe; everything else is tried again.
      return statusOf(answer) === 410 ? gone('status 410: the receiver is gone') : failedResult(answer);
    },
  };
}
