// The ways into the terminal: the setup link of a new service, an invitation, a new account, an existing one, or an API key.
import type { CoreClient, Registration } from '@tickwire/client';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Markets } from '../services/change-markets.tsx';
import { Button } from '../ui/button.tsx';
import { NameField, NewPasswordField, PasswordField } from '../ui/credential-fields.tsx';
import { Check, Form, TextField } from '../ui/form.tsx';
import { Card, type CardProps } from './card.tsx';
import type { ChooseMarketsProps } from './choose-markets.tsx';
import { type LinkKind, type LinkState, linkState } from './link-state.ts';
import { whySignedOut } from './signed-out.ts';

export interface SignInPageProps {
  readonly client: CoreClient;
  /** `/setup`, `/join` and `/sign-up` have separate cards; any other path shows the sign-in. */
  readonly path: string;
  /** Of a setup or invitation link; '' if there is none. */
  readonly token: string;
  /** Why a user who was signed in has to sign in again. */
  readonly reason?: unknown;
  /** The last step of the setup, which is not part of the first load. */
  readonly chooseMarkets: FunctionComponent<ChooseMarketsProps>;
  /** The browser has the cookie of a session now. */
  readonly onSignedIn: () => void;
  /** Opens the terminal with the key, or rejects with the reason. */
  readonly openWithKey: (key: string, remember: boolean) => Promise<void>;
}

const NO_OWNER = 'This service has no owner yet. Open the setup link that it printed when it started.';

export function SignInPage(props: SignInPageProps) {
  const { path } = props;
  if (path === '/setup') return <WithLink {...props} kind="setup" form={SetUp} />;
  if (path === '/join') return <WithLink {...props} kind="invitation" form={Join} />;
  return <WithRegistration {...props} form={path === '/sign-up' ? SignUp : SignIn} />;
}

/** The form of a link that still works, otherwise why it does not. */
function WithLink({ form: LinkForm, kind, ...props }: SignInPageProps & LinkFormProps) {
  const [state, setState] = useState<LinkState | null>(null);
  useEffect(() => {
    void linkState(props.client, kind, props.token).then(setState);
  }, []);
  if (state === null) return null;
  if (state === 'valid') return <LinkForm {...props} />;
  return <Card {...LINK_PROBLEMS[kind][state]} foot={<SignInLink />} />;
}

interface LinkFormProps {
  readonly kind: LinkKind;
  readonly form: FunctionComponent<SignInPageProps>;
}

const LINK_PROBLEMS: Readonly<Record<LinkKind, Readonly<Record<Exclude<LinkState, 'valid'>, CardProps>>>> = {
  setup: {
    used: { title: 'This service has an owner', intro: 'The setup link has been used.' },
    expired: { title: 'This setup link has expired', intro: 'Each start of the service prints a new one. Open that.' },
    unknown: { title: 'Set up Tickwire', intro: NO_OWNER },
  },
  invitation: {
    used: {
      title: 'This invitation has been used',
      intro: 'Each invitation creates one account. Ask for another one.',
    },
    expired: { title: 'This invitation has expired', intro: 'Ask the operator of this service for another one.' },
    unknown: {
      title: 'This invitation is not valid',
      intro: 'The link is incomplete, or the invitation was revoked. Ask the operator of this service for another one.',
    },
  },
};

/** Waits until it is known whether new accounts are accepted, except for a sign-in. */
function WithRegistration({ form: AccountForm, ...props }: SignInPageProps & RegistrationFormProps) {
  // `undefined` while loading, `null` if it is not known.
  const [state, setState] = useState<Registration | null | undefined>(undefined);
  useEffect(() => {
    props.client.account.registration().then(setState, () => setState(null));
  }, []);
  if (state === undefined && AccountForm !== SignIn) return null;
  return <AccountForm {...props} registration={state ?? null} />;
}

interface RegistrationFormProps {
  readonly form: FunctionComponent<WithRegistrationState>;
}

const SignInLink = () => <a href="/sign-in">Sign in</a>;

type WithRegistrationState = SignInPageProps & { readonly registration: Registration | null };

function SignIn({ client, reason, onSignedIn, openWithKey, registration }: WithRegistrationState) {
  const [withKey, setWithKey] = useState(false);
  const ended = reason === undefined ? null : whySignedOut(reason);
  if (withKey) return <KeyCard openWithKey={openWithKey} onBack={() => setWithKey(false)} />;
  return (
    <Card
      title={ended?.title ?? 'Sign in'}
      intro={ended?.text ?? (registration?.setup_needed ? NO_OWNER : undefined)}
      foot={
        <>
          <Button tone="linklike" onClick={() => setWithKey(true)}>
            Use an API key instead
          </Button>
          {registration?.registration === 'open' && [' · ', <a href="/sign-up">Create an account</a>]}
        </>
      }
    >
      <Form
        submit="Sign in"
        autoFocus
        onSubmit={async (values) => {
          await client.account.signIn({ name: values.text('name'), ...values.confirmation() });
          onSignedIn();
        }}
      >
        <NameField />
        <PasswordField />
      </Form>
    </Card>
  );
}

function SetUp({ client, token, chooseMarkets: ChooseMarkets, onSignedIn }: SignInPageProps) {
  const [running, setRunning] = useState<Markets | null>(null);
  const askForMarkets = async (): Promise<void> => {
    const report = await client.admin.markets().catch(() => null);
    if (report === null || report.fixed !== null) return onSignedIn();
    // The link is used up: a reload opens the terminal.
    history.replaceState(null, '', '/');
    setRunning(report.markets);
  };
  if (running !== null) return <ChooseMarkets client={client} running={running} onChosen={onSignedIn} />;
  return (
    <NewAccount
      title="Set up Tickwire"
      intro="Create the owner account. You can invite others, set tiers and see every stream."
      submit="Create the owner account"
      create={(name, password) => client.account.setUp({ token, name, password })}
      onSignedIn={() => void askForMarkets()}
    />
  );
}

function Join({ client, token: invitation, onSignedIn }: SignInPageProps) {
  return (
    <NewAccount
      title="You are invited"
      intro="Choose a name and a password to create your account. The link works once."
      submit="Create account"
      create={(name, password) => client.account.signUp({ name, password, invitation })}
      onSignedIn={onSignedIn}
    />
  );
}

function SignUp({ client, registration, onSignedIn }: WithRegistrationState) {
  if (registration?.registration === 'invitation')
    return (
      <Card
        title="By invitation"
        intro="New accounts need an invitation. Ask the operator of this service for a link."
        foot={<SignInLink />}
      />
    );
  if (registration !== null && registration.registration !== 'open')
    return (
      <Card title="Registration is closed" intro="This service does not accept new accounts." foot={<SignInLink />} />
    );
  return (
    <NewAccount
      title="Create an account"
      intro="Live markets, signals and news, and API keys for your own programs."
      submit="Create account"
      create={(name, password) => client.account.signUp({ name, password })}
      onSignedIn={onSignedIn}
    />
  );
}

interface NewAccountProps {
  readonly title: string;
  readonly intro: string;
  readonly submit: string;
  readonly create: (name: string, password: string) => Promise<unknown>;
  readonly onSignedIn: () => void;
}

function NewAccount({ title, intro, submit, create, onSignedIn }: NewAccountProps) {
  return (
    <Card title={title} intro={intro} foot={['Have an account? ', <SignInLink key="sign-in" />]}>
      <Form
        submit={submit}
        autoFocus
        onSubmit={async (values) => {
          await create(values.text('name'), values.text('password'));
          onSignedIn();
        }}
      >
        <NameField hint="Shown on the signals you publish. It cannot be changed later." />
        <NewPasswordField />
      </Form>
    </Card>
  );
}

function KeyCard({ openWithKey, onBack }: Pick<SignInPageProps, 'openWithKey'> & { readonly onBack: () => void }) {
  return (
    <Card
      title="Use an API key"
      intro="An API key opens the markets, too. It stays in this browser tab unless you choose to remember it."
      foot={
        <Button tone="linklike" onClick={onBack}>
          Sign in with a name instead
        </Button>
      }
    >
      <Form
        submit="Open the terminal"
        autoFocus
        onSubmit={(values) => openWithKey(values.text('key').trim(), values.text('remember') === 'on')}
      >
        <TextField name="key" label="API key" type="password" mono placeholder="tw_…" />
        <Check name="remember">Remember on this device</Check>
      </Form>
    </Card>
  );
}
