/** Large fonts that come with Refile, each for a script that few others have. */
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

const regularAndBold = (family: string, face: string) =>
  ['400Regular', '700Bold'].map(weight =>
    resolve(`@expo-google-fonts/${family}/${weight}/${face}_${weight}.ttf`),
  )

export type ShippedScript = 'cjk' | 'hangul' | 'emoji'

/** Font files, the regular one first: of Chinese and Japanese, of Korean without ideographs, and of emoji. */
export const shippedFonts: Record<ShippedScript, () => string[]> = {
  cjk: () => regularAndBold('noto-sans-sc', 'NotoSansSC'),
  hangul: () => regularAndBold('nanum-gothic', 'NanumGothic'),
  emoji: () => [resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')],
}

/** Kana, ideographs and their punctuation. */
export const isCjk = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x9fff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff01 && code <= 0xffef) ||
  (code >= 0x20000 && code <= 0x3ffff)
