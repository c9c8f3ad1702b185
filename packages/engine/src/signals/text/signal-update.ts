// Messages about a signal that was published before: `SL to BE`, `close half`, `close`, `cancel`. They are whole messages: anything else
// beside them is not an update.
import type { Token } from './tokens.ts';

/** `breakeven`: the stop moves to the entry. `close_half`: a part closes, which no signal can do on request. */
export type SignalUpdate = 'breakeven' | 'close' | 'close_half' | 'cancel';

const STOP = '(?:the |your |our )?(?:sl|s/l|stop(?:[ -]?loss)?)';
const ENTRY = '(?:be|b/e|breakeven|break[ -]even|entry(?: price)?)';
const WHICH =
  '(?: (?:the |this |that |your |my |all )?(?:trade|trades|signal|position|positions|order|orders|all|it|everything|rest|remaining|pending(?: order)?))?';
const NOW = '(?: (?:now|here|manually|at market|please|guys|immediately))*';

const UPDATES: readonly (readonly [SignalUpdate, RegExp])[] = [
  [
    'breakeven',
    new RegExp(
      `^(?:(?:move|set|put|shift|bring) ${STOP} (?:to|at|@) ${ENTRY}|${STOP} ?(?:to|at|@|->|=)? ?${ENTRY}|(?:set |go )?(?:be|breakeven|break[ -]even)|risk[ -]free|mover? ${STOP} a (?:be|entrada)|стоп в (?:бу|безубыток)|бу)${NOW}$`,
    ),
  ],
  [
    'close_half',
    new RegExp(
      `^(?:close|take|book|secure) (?:half|50 ?%|(?:some |a )?partials?(?: profits?)?|some(?: profits?)?)${WHICH}${NOW}$|^(?:cerrar la mitad|fechar metade|halbe? schliessen|закрыть половину)$`,
    ),
  ],
  [
    'close',
    new RegExp(
      `^(?:close|exit|close all|close full)${WHICH}${NOW}$|^(?:cerrar|fechar|schliessen|fermer|закрыть|закрываем|اغلاق|tutup)${NOW}$`,
    ),
  ],
  [
    'cancel',
    new RegExp(
      `^(?:cancel|cancelled|canceled|delete|remove)${WHICH}${NOW}$|^(?:cancelar|stornieren|annuler|отмена|отменить|الغاء|batal|batalkan)$`,
    ),
  ],
];

/** The update that a message is; `null` if it is none. Instruments may be named beside it; signs are left out. */
export function signalUpdate(text: string, tokens: readonly Token[]): SignalUpdate | null {
  let plain = text;
  for (const token of tokens)
    if (token.kind === 'instrument')
      plain = plain.slice(0, token.from) + ' '.repeat(token.to - token.from) + plain.slice(token.to);
  const words = plain
    .replace(/[^\p{L}\d%@/=>\s-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ - /g, ' ')
    .trim();
  return UPDATES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
