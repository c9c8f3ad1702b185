// Asks for the API key and tries it before the desk opens.
import { TickwireError } from '@tickwire/client';
import { element, write } from './elements.ts';

function explain(error: unknown): string {
  if (!(error instanceof TickwireError)) return 'Something went wrong in this page. Reload it and try again.';
  if (error.status === 401) return 'This key is not valid. It may be mistyped, expired or revoked.';
  if (error.retryAfterSeconds !== null) return `Too many requests. Try again in ${error.retryAfterSeconds} s.`;
  if (error.status === 0) return 'The service does not answer. Is it running?';
  return error.detail;
}

export class SignIn {
  readonly #gate = element('gate', HTMLElement);
  readonly #key = element('api-key', HTMLInputElement);
  readonly #message = element('sign-in-message', HTMLElement);
  readonly #submit = element('sign-in-submit', HTMLButtonElement);

  /** `enter` opens the desk with the key, or throws why it cannot. */
  constructor(enter: (key: string, remember: boolean) => Promise<void>) {
    const remember = element('remember', HTMLInputElement);
    element('sign-in', HTMLFormElement).addEventListener('submit', async (event) => {
      event.preventDefault();
      this.#submit.disabled = true;
      write(this.#message, 'Connecting…');
      try {
        await enter(this.#key.value.trim(), remember.checked);
        this.#key.value = '';
      } catch (error) {
        this.show(error);
      }
      this.#submit.disabled = false;
    });
  }

  show(reason?: unknown): void {
    this.#gate.hidden = false;
    this.#message.dataset.tone = reason === undefined ? 'calm' : 'bad';
    write(this.#message, reason === undefined ? '' : explain(reason));
    this.#key.focus();
  }

  hide(): void {
    this.#gate.hidden = true;
  }
}
