// An SMTP server that keeps the mails it accepts and misbehaves on request.
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header section and body, as received. */
  readonly raw: string;
}

export type MailMisbehaviour =
  /** Answers the sender, the recipient, or the end of the mail, with this code. */
  | { readonly at: 'sender' | 'recipient' | 'data'; readonly code: number }
  /** Accepts the mail late. */
  | { readonly answersAfterMs: number }
  /** Closes the connection when the mail begins. */
  | 'drop'
  /** Accepts the mail and closes the connection without an answer. */
  | 'lose'
  /** Never answers the recipient. */
  | 'hang';

export class FakeSmtp implements AsyncDisposable {
  readonly mails: ReceivedMail[] = [];
  /** Connections that used TLS when a mail arrived. */
  secure = 0;
  readonly #server: SMTPServer;
  readonly #misbehaviours: MailMisbehaviour[] = [];

  private constructor(options: SMTPServerOptions) {
    let current: MailMisbehaviour | undefined;
    const refused = (code: number): Error => Object.assign(new Error('refused on request'), { responseCode: code });
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      ...(options.key === undefined && { disabledCommands: ['STARTTLS'] }),
      logger: false,
      onMailFrom: (_, __, callback) => {
        const next = this.#misbehaviours[0];
        if (typeof next !== 'object' || !('at' in next) || next.at !== 'sender') return callback();
        this.#misbehaviours.shift();
        callback(refused(next.code));
      },
      onRcptTo: (_, session, callback) => {
        current = this.#misbehaviours.shift();
        if (session.secure) this.secure++;
        if (current === 'hang') return;
        if (typeof current === 'object' && 'at' in current && current.at === 'recipient')
          return callback(refused(current.code));
        callback();
      },
      onData: (stream, session, callback) => {
        const close = (): void => this.#drop(session.id);
        if (current === 'drop') return close();
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (typeof current === 'object' && 'at' in current) return callback(refused(current.code));
          const { mailFrom, rcptTo } = session.envelope;
          this.mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('utf8'),
          });
          if (current === 'lose') return close();
          if (typeof current === 'object') setTimeout(callback, current.answersAfterMs);
          else callback();
        });
      },
      ...options,
    });
    this.#server.on('error', () => {});
  }

  static async open(options: SMTPServerOptions = {}): Promise<FakeSmtp> {
    const smtp = new FakeSmtp(options);
    await new Promise<void>((resolve) => smtp.#server.listen(0, '127.0.0.1', resolve));
    return smtp;
  }

  get port(): number {
    return (this.#server.server.address() as { port: number }).port;
  }

  /** Open ones. */
  get connections(): number {
    return this.#server.connections.size;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  misbehave(...next: readonly MailMisbehaviour[]): this {
    this.#misbehaviours.push(...next);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#drop(null);
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  /** Closes one connection, or all. */
  #drop(id: string | null): void {
    for (const connection of this.#server.connections) {
      const { session, _socket } = connection as unknown as { session: { id: string }; _socket: { destroy(): void } };
      if (id === null || session.id === id) _socket.destroy();
    }
  }
}
