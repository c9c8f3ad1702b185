// A figure coloured by its sign.
import { signOf } from './format.ts';

export const Signed = ({ text }: { readonly text: string }) => <span data-sign={signOf(text)}>{text}</span>;
