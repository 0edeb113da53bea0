/** Cleans the CSS of Kindle books for EPUB. */

/** Properties that the EPUB specification forbids, since reading systems set them: https://www.w3.org/TR/epub-33/#sec-css */
const FORBIDDEN = /(^|[;{\s])(?:direction|unicode-bidi)\s*:[^;{}]*(?:;|(?=\})|$)/gi

/** Removes declarations that EPUB forbids; everything else is kept, including Kindle's own. */
export const cleanCss = (css: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  css.replace(FORBIDDEN, '$1').replace(/[\u0000-\u0008\u000e-\u001f\ufeff]/g, '')
