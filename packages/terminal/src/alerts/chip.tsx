export function StateChip({ of: [text, tone] }: { readonly of: readonly [text: string, tone: string] }) {
  return <span class={`chip ${tone}`}>{text}</span>;
}
