// The buttons under a preview: what they are called, and the data that a press sends back.

export const BUTTON_LABELS = { publish: 'Publish', discard: 'Discard' } as const;
export type ButtonAction = keyof typeof BUTTON_LABELS;

/** What asks to publish or discard a message. */
export const buttonsFor = (message: string): readonly { readonly label: string; readonly data: string }[] =>
  Object.entries(BUTTON_LABELS).map(([action, label]) => ({ label, data: `${action}:${message}` }));

/** What a button asks for; `null` if it is none of ours. */
export function buttonOf(data: string): { readonly action: ButtonAction; readonly message: string } | null {
  const [, action, message] = /^(publish|discard):(\d{1,20})$/.exec(data) ?? [];
  return message === undefined ? null : { action: action as ButtonAction, message };
}
