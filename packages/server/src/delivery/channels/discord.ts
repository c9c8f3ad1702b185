// Discord webhooks (https://discord.com/developers/docs/resources/webhook#execute-webhook).
import type { Channel, DestinationAddresses } from '../channel.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import { discordText } from '../templates/discord-text.ts';
import { DELIVERED, failedResult, gone, isSuccess, jsonOf, rejected, retry } from './send-results.ts';

/** Discord's own limit of a webhook. */
const PER_MINUTE = 30;
const SUPPRESS_EMBEDS = 4;

export function discordChannel(http: OutgoingHttp): Channel {
  return {
    name: 'discord',
    perMinute: PER_MINUTE,
    async send(address, message, signal) {
      // `wait`: the answer comes after the message was stored, so that a failure is not lost.
      const url = URL.parse((address as DestinationAddresses['discord']).url);
      url?.searchParams.set('wait', 'true');
      const payload = { content: discordText(message), allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
      const headers = { 'Content-Type': 'application/json' };
      const answer = await http.post({ url: url?.href ?? '', headers, body: JSON.stringify(payload), signal });
      if (isSuccess(answer)) return DELIVERED;
      if (answer.kind !== 'answer') return failedResult(answer);
      const { status, text } = answer;
      if (status === 404 || status === 410) return gone(`status ${status}: the webhook was deleted`);
      if (status === 429) {
        const { retry_after } = jsonOf(text);
        const waitMs = typeof retry_after === 'number' ? retry_after * 1_000 : null;
        return waitMs === null ? failedResult(answer) : retry('status 429: too many messages', waitMs);
      }
      return status === 400 ? rejected(`status ${status}`) : failedResult(answer);
    },
  };
}
