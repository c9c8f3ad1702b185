// Name and password of an account, marked up so that password managers recognize them.
import { type FieldProps, TextField } from './form.tsx';

export function NameField({ hint }: { readonly hint?: string }) {
  return (
    <TextField name="name" label="Name" autocomplete="username" maxLength={48} {...(hint !== undefined && { hint })} />
  );
}

export function PasswordField({ label = 'Password' }: { readonly label?: string }) {
  return <TextField name="password" label={label} type="password" autocomplete="current-password" />;
}

export function NewPasswordField({ name = 'password', label = 'Password' }: Partial<FieldProps>) {
  return (
    <TextField
      name={name}
      label={label}
      type="password"
      autocomplete="new-password"
      minLength={10}
      hint="At least 10 characters. A few words in a row are easy to remember and hard to guess."
    />
  );
}

/** Tells a password manager whose password the form is about. */
export function AccountName({ name }: { readonly name: string }) {
  return <input type="text" autocomplete="username" value={name} readOnly hidden />;
}
