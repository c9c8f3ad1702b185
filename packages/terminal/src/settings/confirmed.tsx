// Privileged steps: if the service wants the password again, a dialog asks for it and the request is repeated.
import { TickwireError } from '@tickwire/client';
import { AccountName, PasswordField } from '../ui/credential-fields.tsx';
import { openFormDialog } from '../ui/dialog.tsx';
import type { SettingsProps } from './section.ts';

/** The result of `request`. Rejects with its error if the dialog is closed. */
export async function confirmed<T>(
  { client, account }: Pick<SettingsProps, 'client' | 'account'>,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof TickwireError) || error.code !== 'confirmation_required') throw error;
    await new Promise<void>((resolve, reject) => {
      const dialog = openFormDialog({
        title: 'Confirm that it is you',
        text: 'This needs your password again. You are not asked for the next five minutes.',
        submit: 'Confirm',
        onSubmit: async (values) => {
          await client.account.confirm(values.confirmation());
          resolve();
        },
        children: [<PasswordField />, <AccountName name={account.name} />],
      });
      dialog.addEventListener('close', () => reject(error));
    });
    return request();
  }
}
