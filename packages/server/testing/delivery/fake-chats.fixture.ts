// Servers that speak the webhooks of Discord and Slack, with their error answers.
import { FakeHttp, type FakeReply, type FakeRequest, json, jsonBody } from './fake-http.fixture.ts';

const DISCORD_PATH = '/api/webhooks/1122334455667788/fake-discord-token';
const SLACK_PATH = '/services/T00000000/B00000000/fakeslacktoken';

export class FakeDiscord implements AsyncDisposable {
  readonly messages: Readonly<Record<string, unknown>>[] = [];
  readonly server = new FakeHttp((request) => this.#handle(request));

  static async open(): Promise<FakeDiscord> {
    const discord = new FakeDiscord();
    await discord.server.listen();
    return discord;
  }

  get webhook(): string {
    return this.server.url(DISCORD_PATH);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #handle(request: FakeRequest): FakeReply {
    const url = new URL(request.path, 'http://discord.example');
    if (url.pathname !== DISCORD_PATH) return json({ message: 'Unknown Webhook', code: 10015 }, 404);
    const message = jsonBody(request);
    const content = message?.content;
    if (!message || typeof content !== 'string' || content === '' || content.length > 2_000)
      return json({ content: ['Must be between 1 and 2000 in length.'] }, 400);
    this.messages.push(message);
    if (url.searchParams.get('wait') !== 'true') return { status: 204 };
    return json({ id: String(1_000_000_000_000_000_000n + BigInt(this.messages.length)), type: 0, content });
  }
}

export class FakeSlack implements AsyncDisposable {
  readonly messages: Readonly<Record<string, unknown>>[] = [];
  readonly server = new FakeHttp((request) => this.#handle(request));

  static async open(): Promise<FakeSlack> {
    const slack = new FakeSlack();
    await slack.server.listen();
    return slack;
  }

  get webhook(): string {
    return this.server.url(SLACK_PATH);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #handle(request: FakeRequest): FakeReply {
    if (request.path !== SLACK_PATH) return { status: 404, body: 'no_service' };
    const message = jsonBody(request);
    if (!message) return { status: 400, body: 'invalid_payload' };
    if (typeof message.text !== 'string' || message.text === '') return { status: 400, body: 'no_text' };
    this.messages.push(message);
    return { status: 200, body: 'ok' };
  }
}
