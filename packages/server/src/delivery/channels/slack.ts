// Slack's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
import type { Channel, DestinationAddresses } from '../channel.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import { slackText } from '../templates/slack-text.ts';
import { DELIVERED, failedResult, gone, isSuccess, rejected } from './send-results.ts';

/** Slack accepts one message per second. */
const PER_MINUTE = 60;

export function slackChannel(http: OutgoingHttp): Channel {
  return {
    name: 'slack',
    perMinute: PER_MINUTE,
    async send(address, message, signal) {
      const { url } = address as DestinationAddresses['slack'];
      const payload = { text: slackText(message), mrkdwn: false, unfurl_links: false, unfurl_media: false };
      const headers = { 'Content-Type': 'application/json' };
      const answer = await http.post({ url, headers, body: JSON.stringify(payload), signal });
      if (isSuccess(answer)) return DELIVERED;
      if (answer.kind !== 'answer') return failedResult(answer);
      const { status } = answer;
      if (status === 404 || status === 410) return gone(`status ${status}: the webhook or its channel is gone`);
      return status === 400 ? rejected(`status ${status}`) : failedResult(answer);
    },
  };
}
