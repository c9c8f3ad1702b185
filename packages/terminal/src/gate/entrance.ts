// The ways into the terminal: the owner's first link, an invitation, signing up, signing in, or a key.
import type { TickwireClient } from '@tickwire/client';
import { button, link, make } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { Field } from '../forms/field.ts';
import { Form } from '../forms/form.ts';
import { showCard } from './card.ts';
import { knownName, knownPassword, newName, newPassword } from './credentials.ts';

export interface EntranceOptions {
  readonly client: TickwireClient;
  /** The browser has the cookie of a session now. */
  readonly onSignedIn: () => void;
  /** Opens the desk with the key, or throws why it cannot. */
  readonly enterWithKey: (key: string, remember: boolean) => Promise<void>;
}

interface NewAccount {
  readonly title: string;
  readonly intro: string;
  readonly submit: string;
  readonly create: (name: string, password: string) => Promise<unknown>;
}

const NAME_HINT = 'Shown beside signals you publish. It cannot be changed later.';
const signInLink = (): HTMLElement => link('Sign in', '/sign-in');

export class Entrance {
  readonly #options: EntranceOptions;

  constructor(options: EntranceOptions) {
    this.#options = options;
  }

  /** The card of an address; that of the sign-in where it has none. */
  async show(path: string, query: URLSearchParams): Promise<void> {
    const token = query.get('token') ?? '';
    if (path === '/setup') await this.#setUp(token);
    else if (path === '/join') this.#join(token);
    else if (path === '/sign-up') await this.#signUp();
    else await this.signIn();
  }

  /** `reason`: why somebody who was in is asked again. */
  async signIn(reason?: unknown): Promise<void> {
    const { client, onSignedIn } = this.#options;
    const [name, password] = [knownName(), knownPassword()];
    const form = new Form({
      fields: [name, password],
      submit: 'Sign in',
      send: async () => {
        await client.account.signIn({ name: name.value, password: password.value });
        onSignedIn();
      },
    });
    const foot: (Node | string)[] = [button('Use an API key instead', 'linklike', () => this.#key())];
    showCard({ title: 'Sign in', form, foot });
    if (reason !== undefined) form.say(explain(reason).general, 'bad');
    const state = await client.account.registration().catch(() => null);
    // Somebody may have begun to type: what comes late is only added.
    if (state?.setup_needed) form.element.before(make('p', 'intro', UNOWNED));
    if (state?.registration === 'open')
      form.element.nextElementSibling?.append(' · ', link('Create an account', '/sign-up'));
  }

  async #setUp(token: string): Promise<void> {
    const { client } = this.#options;
    const state = await client.account.registration().catch(() => null);
    if (state?.setup_needed === false) {
      showCard({ title: 'This service has an owner', intro: 'The link has been used. ', foot: [signInLink()] });
    } else if (token === '') {
      showCard({ title: 'Set up Tickwire', intro: UNOWNED });
    } else {
      this.#newAccount({
        title: 'Set up Tickwire',
        intro: 'Make the account that owns this service: it invites others, gives them tiers and sees every stream.',
        submit: 'Create the owner’s account',
        create: (name, password) => client.account.setUp({ token, name, password }),
      });
    }
  }

  #join(invitation: string): void {
    this.#newAccount({
      title: 'You are invited',
      intro: 'Choose a name and a password, and you are in. The link works once.',
      submit: 'Create account',
      create: (name, password) => this.#options.client.account.signUp({ name, password, invitation }),
    });
  }

  async #signUp(): Promise<void> {
    const { client } = this.#options;
    const state = await client.account.registration().catch(() => null);
    if (state !== null && state.registration !== 'open') {
      const invited = state.registration === 'invitation';
      const intro = invited
        ? 'New accounts are made by invitation. Ask who runs this service for a link.'
        : 'This service takes no new accounts.';
      showCard({ title: invited ? 'By invitation' : 'Registration is closed', intro, foot: [signInLink()] });
      return;
    }
    this.#newAccount({
      title: 'Create an account',
      intro: 'Live markets, signals and news, and API keys for your own programs.',
      submit: 'Create account',
      create: (name, password) => client.account.signUp({ name, password }),
    });
  }

  #newAccount({ title, intro, submit, create }: NewAccount): void {
    const [name, password] = [newName(NAME_HINT), newPassword()];
    const form = new Form({
      fields: [name, password],
      submit,
      send: async () => {
        await create(name.value, password.value);
        this.#options.onSignedIn();
      },
    });
    showCard({ title, intro, form, foot: ['Have an account? ', signInLink()] });
  }

  #key(): void {
    const key = Field.input({ name: 'key', label: 'API key', type: 'password', mono: true });
    key.control.setAttribute('placeholder', 'tw_…');
    const remember = make('input', '');
    remember.type = 'checkbox';
    const check = make('label', 'check');
    check.append(remember, 'Remember on this device');
    const form = new Form({
      fields: [key],
      more: [check],
      submit: 'Open the terminal',
      send: () => this.#options.enterWithKey(key.value.trim(), remember.checked),
    });
    const back = button('Sign in with a name instead', 'linklike', () => void this.signIn());
    showCard({ title: 'Use an API key', intro: KEY_INTRO, form, foot: [back] });
  }
}

const UNOWNED = 'Nobody owns this service yet. Open the link that it printed when it started: it makes your account.';
const KEY_INTRO = 'Markets open with a key, too. It stays in this browser tab unless you ask to remember it.';
