// Finds text that is drawn over other text. What is scrolled out of sight, or lies under a dialog, a menu or a sticky header with
// a background of its own, does not count.
import type { Page } from 'playwright-core';

/** Pairs of overlapping texts, such as `"Bid" over "Euro / US Dollar"`. */
export function overlapsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Piece {
      readonly element: Element;
      readonly node: Node;
      readonly text: string;
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }
    /** Pixels that two boxes may share: line heights are larger than letters. */
    const ACROSS = 3;
    const DOWN = 5;
    const clips = (style: CSSStyleDeclaration): boolean =>
      style.overflowX !== 'visible' || style.overflowY !== 'visible';
    /** The part of a box that its scrolling ancestors and the window show. */
    const visiblePart = (element: Element, { left, top, right, bottom }: DOMRect) => {
      let box = {
        left: Math.max(0, left),
        top: Math.max(0, top),
        right: Math.min(innerWidth, right),
        bottom: Math.min(innerHeight, bottom),
      };
      for (let each: Element | null = element; each; each = each.parentElement) {
        const style = getComputedStyle(each);
        if (!clips(style)) continue;
        const frame = each.getBoundingClientRect();
        box = {
          left: Math.max(box.left, frame.left),
          top: Math.max(box.top, frame.top),
          right: Math.min(box.right, frame.right),
          bottom: Math.min(box.bottom, frame.bottom),
        };
      }
      return box;
    };
    const pieces: Piece[] = [];
    // A dialog hides the page; a menu hides what is behind it.
    const root = document.querySelector('dialog[open]') ?? document.body;
    const menus = [...root.querySelectorAll('.popover, [role="menu"], [role="listbox"]')];
    const isBehindMenu = (element: Element, box: Omit<Piece, 'element' | 'node' | 'text'>): boolean =>
      menus.some((menu) => {
        const { left, top, right, bottom } = menu.getBoundingClientRect();
        const apart = box.right < left || box.left > right || box.bottom < top || box.top > bottom;
        return !menu.contains(element) && !apart;
      });
    /** Whether something with a background lies over the element here. */
    const isCovered = (element: Element, x: number, y: number): boolean => {
      for (const above of document.elementsFromPoint(x, y)) {
        if (above === element || above.contains(element)) return false;
        if (!element.contains(above) && !/, 0\)$|^transparent$/.test(getComputedStyle(above).backgroundColor))
          return true;
      }
      return false;
    };
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      const text = node.textContent!.trim();
      if (text === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, top, right, bottom } = range.getBoundingClientRect();
      if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('svg, option, .unseen, [aria-hidden="true"]')) continue;
      for (const rect of range.getClientRects()) {
        const box = visiblePart(element, rect);
        if (box.right - box.left <= ACROSS || box.bottom - box.top <= DOWN) continue;
        if (isBehindMenu(element, box)) continue;
        if (isCovered(element, (box.left + box.right) / 2, (box.top + box.bottom) / 2)) continue;
        pieces.push({ element, node, text: text.slice(0, 40), ...box });
      }
    }
    const found: string[] = [];
    for (const [at, one] of pieces.entries())
      for (const other of pieces.slice(at + 1)) {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        // A shortened text has several boxes.
        if (one.node !== other.node && across > ACROSS && down > DOWN) found.push(`"${one.text}" over "${other.text}"`);
      }
    return found.slice(0, 20);
  });
}
