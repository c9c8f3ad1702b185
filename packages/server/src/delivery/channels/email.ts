// E-mail over the operator's SMTP server. Each mail can be unsubscribed from with one click (RFC 8058).
import { Socket } from 'node:net';
import { MINUTE_MS } from '@tickwire/engine';
import type { Mailbox } from '../../config/delivery-settings.ts';
import type { Channel, DestinationAddresses, SendResult } from '../channel.ts';
import { mailText } from '../templates/mail-text.ts';
import { unsubscribeLink } from '../templates/message-text.ts';
import { DELIVERED, reached, rejected, retry } from './send-results.ts';

/**
 * A server may take minutes to accept a mail (RFC 5321, 4.5.3.2). If the attempt ended before, the server would accept the mail
 * all the same, and get it again.
 */
const ATTEMPT_MS = 5 * MINUTE_MS;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: ATTEMPT_MS };
/** Mail servers refuse clients with many connections. */
const MAX_CONNECTIONS = 16;
/** Nothing in an address may start another header or another recipient. */
const ADDRESS = /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+$/u;

export interface EmailSettings {
  /** smtp:// or smtps://, with user and password. */
  readonly url: string;
  readonly from: Mailbox;
  /** Additional trusted certificates. */
  readonly ca?: string;
  readonly timeouts?: Partial<typeof TIMEOUTS>;
}

export function emailChannel({ url, from, ca, timeouts = {} }: EmailSettings): Channel {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const settings = {
    ...TIMEOUTS,
    ...timeouts,
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password is not sent in the clear, except within this machine.
    requireTLS: !secure && username !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(ca !== undefined && { tls: { ca } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    name: 'email',
    attemptMs: ATTEMPT_MS,
    atOnce: MAX_CONNECTIONS,
    async send(address, message, signal) {
      const to = (address as DestinationAddresses['email']).address;
      if (!ADDRESS.test(to)) return rejected('it is not an e-mail address');
      // Loaded with the first mail: most services send none.
      const { createTransport } = await import('nodemailer');
      if (signal.aborted) return retry('stopped');
      const unsubscribe = unsubscribeLink(message);
      const socket = new Socket();
      const stop = (): void => {
        socket.destroy();
      };
      signal.addEventListener('abort', stop);
      socket.once('connect', () => signal.aborted && stop());
      const sending = createTransport({ ...settings, socket }).sendMail({
        from,
        to: { name: '', address: to },
        // The same in every attempt, so that mail programs show a repeated one once.
        messageId: `<${message.id.replace(/[^\w.-]/g, '')}@${from.address.split('@')[1]}>`,
        date: new Date(message.createdAt),
        ...mailText(message),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe !== null && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
      const result = await sending.then(() => DELIVERED, failureOf);
      signal.removeEventListener('abort', stop);
      // The connection is closed: the mail may have been accepted, but the dialogue does not go on.
      return signal.aborted && result.result === 'retry' ? retry('stopped') : result;
    },
  };
}

/** Commands whose refusal is about this mail or its recipient. Others, such as MAIL FROM, are about the service. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA)$/;

interface MailError {
  readonly responseCode?: number;
  readonly code?: string;
  readonly message?: string;
  /** What the server answered to. */
  readonly command?: string;
}

/** 4xx: the server asks to try again. 5xx: it never will accept this mail. */
function failureOf(error: unknown): SendResult {
  const { responseCode, code, command = '', message } = error as MailError;
  // A wrong password and a server without TLS are the operator's to change, not the recipient's.
  if (code === 'EAUTH') return retry('the mail server does not accept the user name and password of the service');
  if (code === 'ETLS') return retry('the mail server does not offer TLS');
  if (responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.test(command))
    return rejected(`the mail server answered ${responseCode}`);
  if (responseCode !== undefined && responseCode >= 400) {
    const result = retry(`the mail server answered ${responseCode}`);
    return command === 'RCPT TO' ? reached(result) : result;
  }
  return retry(`the mail server cannot be reached: ${code ?? message ?? 'unknown reason'}`.slice(0, 200));
}
