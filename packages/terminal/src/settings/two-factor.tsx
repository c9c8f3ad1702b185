// Two-factor sign-in: set up with a QR code, confirm with a code, disable with password and code.
import type { TwoFactorSecret } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { GuideLink } from '../ui/button.tsx';
import { AccountName, PasswordField } from '../ui/credential-fields.tsx';
import { CodeField, Form } from '../ui/form.tsx';
import { IssuedSecret } from '../ui/issued-secret.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import type { SettingsProps } from './section.ts';

export function TwoFactor({ client: { account: calls }, account }: SettingsProps) {
  const status = useRemote(() => calls.twoFactor());
  const [secret, setSecret] = useState<TwoFactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Panel title="Two-factor sign-in">
      {codes ? (
        <IssuedSecret
          title="Your recovery codes"
          secret={codes.join(' ')}
          text="Each works once in place of your app. Keep them in a safe place. They are not shown again."
          onDone={() => setCodes(null)}
        />
      ) : secret ? (
        <Form
          key="confirm"
          submit="Enable"
          onSubmit={async (values) => {
            setCodes((await calls.confirmTwoFactor(values.text('code'))).recovery_codes);
            setSecret(null);
            await status.refresh();
          }}
        >
          <p class="intro">Scan this with your authenticator app, or type the secret. Then enter the code it shows.</p>
          <QrCode {...secret.qr} />
          <code>{secret.secret}</code>
          <CodeField autoFocus />
        </Form>
      ) : (
        <RemoteSection remote={status}>
          {({ enabled, recovery_codes_left }) =>
            enabled ? (
              <Form
                key="disable"
                submit="Disable"
                tone="danger"
                onSubmit={async (values) => {
                  await calls.disableTwoFactor(values.confirmation());
                  await status.refresh();
                }}
              >
                <p class="intro">{`Enabled. Recovery codes left: ${recovery_codes_left}.`}</p>
                <PasswordField />
                <CodeField />
                <AccountName name={account.name} />
              </Form>
            ) : (
              <Form
                key="set-up"
                submit="Set up"
                onSubmit={async (values) => setSecret(await calls.setUpTwoFactor(values.text('password')))}
              >
                <p class="intro">
                  Not enabled. With it, sign-in also asks for a code of an authenticator app.{' '}
                  <GuideLink href="/guide/accounts#two-factor-sign-in">Two-factor sign-in</GuideLink>
                </p>
                <PasswordField />
                <AccountName name={account.name} />
              </Form>
            )
          }
        </RemoteSection>
      )}
    </Panel>
  );
}

/** Always dark on white, because scanners need it. */
function QrCode({ size, path }: TwoFactorSecret['qr']) {
  return (
    <svg class="qr" role="img" aria-label="QR code" viewBox={`0 0 ${size} ${size}`} width="220" height="220">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
