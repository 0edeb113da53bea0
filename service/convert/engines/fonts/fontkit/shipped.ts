/** Large fonts that come with Refile, each for a script that few others have. */
import { shippedFile } from '../../../../shared/model-folders.ts'

/** Files of a family; none where a package leaves it out. */
const filesOf = (family: string, face: string, weights = ['400Regular', '700Bold']) =>
  weights.flatMap(weight => shippedFile(`@expo-google-fonts/${family}/${weight}/${face}_${weight}.ttf`) ?? [])

export type ShippedScript = 'cjk' | 'hangul' | 'emoji'

/**
 * Font files, the regular one first: of Chinese and Japanese, which small packages leave out, of Korean without ideographs, and of emoji.
 */
export const shippedFonts: Record<ShippedScript, () => string[]> = {
  cjk: () => filesOf('noto-sans-sc', 'NotoSansSC'),
  hangul: () => filesOf('nanum-gothic', 'NanumGothic'),
  emoji: () => filesOf('noto-emoji', 'NotoEmoji', ['400Regular']),
}

/** Kana, ideographs and their punctuation. */
export const isCjk = (code: number): boolean =>
  (code >= 0x3000 && code <= 0x9fff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff01 && code <= 0xffef) ||
  (code >= 0x20000 && code <= 0x3ffff)
