// A receiver of webhooks to run by hand: verifies each request with the secret in WEBHOOK_SECRET and prints it.
import { Webhook } from 'standardwebhooks';
import { FakeHttp } from './fake-http.fixture.ts';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const receiver = new FakeHttp(({ headers, body }) => {
  try {
    const { type, data } = webhook.verify(body, headers) as { type: string; data: { title: string } };
    process.stdout.write(`verified ${headers['webhook-id']} ${type}: ${data.title}\n`);
    return { status: 204 };
  } catch (error) {
    process.stdout.write(`refused: ${(error as Error).message}\n`);
    return { status: 401 };
  }
});
await receiver.listen(Number(process.env.PORT ?? 9000));
process.stdout.write(`waiting for webhooks at ${receiver.url('/')}\n`);
