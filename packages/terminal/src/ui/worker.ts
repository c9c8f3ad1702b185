// Registers the service worker of the terminal. It keeps the page for times without a connection, and receives push messages.

const WORKER = '/push-worker.js';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

let address: string | null = null;

/** Browsers treat the address of a worker as a script; the content policy allows this one. */
function trustedAddress(): string {
  const { trustedTypes } = globalThis as unknown as { readonly trustedTypes?: TrustedTypes };
  address ??=
    trustedTypes?.createPolicy('push-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER;
  return address;
}

/** Only over HTTPS or on localhost. */
export const canRegisterWorker = (): boolean => 'serviceWorker' in navigator;

export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(trustedAddress());
