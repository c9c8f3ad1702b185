// Codes that verify destinations, on their way through a channel. The outbox contains them encrypted, because messages are kept
// for a month; they are opened just before they are sent, and not sent after they have expired.
import type { Channel, Channels, CodeBody, MessageBody } from './channel.ts';
import { rejected } from './channels/send-results.ts';
import type { DestinationBox } from './destination-box.ts';

/** The body of a message with a code, as it is stored. */
export interface StoredCodeBody extends Omit<CodeBody, 'code'> {
  readonly sealedCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** `id`: of the message. */
export const sealCode = (box: DestinationBox, id: string, code: string): string => box.seal(`code ${id}`, code);

/** Channels that open codes. */
export function withCodes(channels: Channels, box: DestinationBox, now: () => number): Channels {
  return new Map([...channels].map(([name, channel]) => [name, withCode(channel, box, now)]));
}

const withCode = (channel: Channel, box: DestinationBox, now: () => number): Channel => ({
  ...channel,
  async send(address, message, signal) {
    const stored = message.body as MessageBody | StoredCodeBody;
    if (!('sealedCode' in stored)) return channel.send(address, message, signal);
    const { sealedCode, expiresAt, ...body } = stored;
    if (now() >= expiresAt) return rejected('the code has expired');
    const code = box.open({ id: `code ${message.id}`, sealed: sealedCode }) as string;
    return channel.send(address, { ...message, body: { ...body, code } }, signal);
  },
});
