// The address of a destination: sealed in full, shown without its secret parts.
import type { DestinationRequest, OutsideChannel } from '@tickwire/contract';
import { sha256Hex } from '../ops/sha256.ts';

export const NOT_LINKED = 'not linked yet';

/** What the operator must set for a channel. */
export const SETTINGS_OF: Readonly<Record<OutsideChannel, string>> = {
  webhook: 'nothing',
  discord: 'nothing',
  slack: 'nothing',
  telegram: 'TICKWIRE_TELEGRAM_BOT_TOKEN',
  email: 'TICKWIRE_SMTP_URL, TICKWIRE_MAIL_FROM and TICKWIRE_PUBLIC_URL',
  push: 'TICKWIRE_VAPID_SUBJECT',
};

/** As `DestinationAddresses` has it. A Telegram chat is not known until it is linked. */
export function addressOf(request: DestinationRequest, secret: string | null): unknown {
  switch (request.channel) {
    case 'webhook':
      return { url: request.url, secret };
    case 'discord':
    case 'slack':
      return { url: request.url };
    case 'email':
      return { address: request.address };
    case 'push':
      return request.subscription;
    case 'telegram':
      return null;
  }
}

export function shownAddress(request: DestinationRequest): string {
  switch (request.channel) {
    case 'email':
      return request.address;
    case 'telegram':
      return NOT_LINKED;
    case 'push':
      return new URL(request.subscription.endpoint).host;
    default:
      return new URL(request.url).host;
  }
}

/** SHA-256 of channel and address. While the address of a chat is not known, `id` takes its place. */
export function destinationHash(request: DestinationRequest, id: string): string {
  const address =
    request.channel === 'email'
      ? request.address.toLowerCase()
      : request.channel === 'push'
        ? request.subscription.endpoint
        : request.channel === 'telegram'
          ? id
          : new URL(request.url).href;
  return sha256Hex(`${request.channel}\n${address}`);
}
