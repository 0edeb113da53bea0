/** CSS of Kindle books as EPUB may hold it. */

/** What the EPUB specification forbids, since readers set it: https://www.w3.org/TR/epub-33/#sec-css */
const FORBIDDEN = /(^|[;{\s])(?:direction|unicode-bidi)\s*:[^;{}]*(?:;|(?=\})|$)/gi

/** Leaves out declarations that EPUB forbids; everything else, Kindle's own as well, stays. */
export const cleanCss = (css: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  css.replace(FORBIDDEN, '$1').replace(/[\u0000-\u0008\u000e-\u001f\ufeff]/g, '')
