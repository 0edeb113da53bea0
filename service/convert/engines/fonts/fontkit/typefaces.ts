import { existsSync } from 'node:fs'
import { type Font, openSync } from 'fontkit'

/** Where systems have fonts for scripts that would be too large to bundle. */
const candidates: Partial<Record<NodeJS.Platform, string[]>> = {
  win32: [
    'msyh.ttc',
    'YuGothM.ttc',
    'malgun.ttf',
    'Nirmala.ttf',
    'Nirmala.ttc',
    'LeelawUI.ttf',
    'seguiemj.ttf',
  ].map(file => `${process.env.SystemRoot ?? 'C:\\Windows'}\\Fonts\\${file}`),
  darwin: [
    '/System/Library/Fonts/Hiragino Sans GB.ttc',
    '/System/Library/Fonts/STHeiti Light.ttc',
    '/System/Library/Fonts/AppleSDGothicNeo.ttc',
    '/System/Library/Fonts/Supplemental/Arial Unicode.ttf',
  ],
  linux: [
    '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf',
    '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf',
    '/usr/share/fonts/truetype/freefont/FreeSans.ttf',
  ],
}

/** Fonts of this system for scripts that the bundled ones lack. */
export const systemFonts = (): string[] =>
  (candidates[process.platform] ?? []).filter(path => existsSync(path))

/** Opens a font file, or the first font of a collection; undefined if it cannot be read. */
export function openTypeface(path: string): Font | undefined {
  try {
    const opened = openSync(path)
    return 'fonts' in opened ? opened.fonts[0] : opened
  } catch {
    // An unreadable system font is treated as missing.
    return undefined
  }
}
