// The public key with which the account signs its signals. The private key stays with the publisher, so a signed signal proves
// that neither the service nor anybody else has made it.
import { Button, GuideLink } from '../ui/button.tsx';
import { Snippet } from '../ui/copied-text.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { confirmed } from './confirmed.tsx';
import type { SettingsProps } from './section.ts';

const EXAMPLE = (id: string): string => `import { createSigningKey, Signer, CoreClient } from '@tickwire/client';

const { privateKey, publicKey } = await createSigningKey(); // register publicKey, keep privateKey
const client = new CoreClient({ url: '${location.origin}', apiKey: 'tw_…' });
const signer = new Signer('${id}', privateKey);
await client.publishSignal(await signer.publish({ symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081, take_profit: 1.09 }));`;

export function SigningKey(props: SettingsProps) {
  const {
    client: { account: calls },
    account,
  } = props;
  const current = useRemote(() => calls.signingKey());
  const remove = (): void =>
    askToConfirm({
      title: 'Remove the signing key?',
      text: 'Your signals are accepted without a signature again. The change is a public record of the log.',
      confirm: 'Remove key',
      act: () => confirmed(props, () => calls.setSigningKey(null)).then(current.refresh),
    });
  return (
    <Panel title="Signing key">
      <p class="intro">
        With a signing key, your signals, tighter stops and requests to close must be signed by your own program, and
        unsigned ones are rejected, including those from this page. Every change of the key is a public record of the
        signal log. <GuideLink href="/guide/reference/signals#publisher-signatures">Publisher signatures</GuideLink>
      </p>
      <RemoteSection remote={current}>
        {({ public_key }) => (
          <>
            {public_key !== null && (
              <>
                <p class="intro">Registered public key:</p>
                <code class="secret">{public_key}</code>
                <div class="actions">
                  <Button tone="danger" onClick={remove}>
                    Remove key
                  </Button>
                </div>
              </>
            )}
            <Form
              submit={public_key === null ? 'Register key' : 'Replace key'}
              onSubmit={async (values, form) => {
                const key = values.text('public_key').trim().toLowerCase();
                await confirmed(props, () => calls.setSigningKey(key));
                form.reset();
                form.show('Registered. From now on your signals must be signed.', 'good');
                await current.refresh();
              }}
            >
              <TextField
                name="public_key"
                label="Public key"
                hint="Ed25519, 64 hex digits. Never enter a private key."
                maxLength={64}
                mono
              />
            </Form>
          </>
        )}
      </RemoteSection>
      <details class="ended">
        <summary>How to sign with the SDK</summary>
        <Snippet label="Example" text={EXAMPLE(account.id)} />
        <p class="intro">
          An operator can register a key with the command line: <code>tickwire keys sign-with ACCOUNT PUBLIC_KEY</code>.
        </p>
      </details>
    </Panel>
  );
}
