// Push messages to browsers: encrypted for the browser (RFC 8291), signed for the push service (VAPID, RFC 8292).
import { DAY_MS } from '@tickwire/engine';
import type { RequestDetails } from 'web-push';
import type { Channel, DestinationAddresses } from '../channel.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import { pushPayload } from '../templates/push-text.ts';
import type { VapidKeys } from '../vapid-key.ts';
import { DELIVERED, failedResult, gone, isSuccess, rejected } from './send-results.ts';

/** The push service keeps a message this long for a browser that is offline. */
const TTL_SECONDS = DAY_MS / 1_000;

export interface PushSettings extends VapidKeys {
  readonly subject: string;
}

export function pushChannel(http: OutgoingHttp, { subject, publicKey, privateKey }: PushSettings): Channel {
  return {
    name: 'push',
    async send(address, message, signal) {
      const { endpoint, keys } = address as DestinationAddresses['push'];
      // Loaded when the first message is sent: most services send none.
      const { generateRequestDetails } = await import('web-push');
      let request: RequestDetails;
      try {
        request = generateRequestDetails({ endpoint, keys }, JSON.stringify(pushPayload(message)), {
          vapidDetails: { subject, publicKey, privateKey },
          TTL: TTL_SECONDS,
          urgency: 'high',
        });
      } catch {
        return rejected('the keys of the subscription are not valid');
      }
      const { 'Content-Length': _, ...headers } = request.headers;
      const answer = await http.post({
        url: endpoint,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: new Uint8Array(request.body!),
        signal,
      });
      if (isSuccess(answer)) return DELIVERED;
      if (answer.kind !== 'answer') return failedResult(answer);
      const { status } = answer;
      if (status === 404 || status === 410) return gone(`status ${status}: the browser ended the subscription`);
      // 401 and 403 are about the key of the service, which the operator can correct.
      return status === 400 || status === 413 ? rejected(`status ${status}`) : failedResult(answer);
    },
  };
}
