/** Chooses the font files that LibreOffice gets for a document in addition to its own. */
import { createRequire } from 'node:module'
import { familyKey, installedFonts } from './installed-fonts.ts'
import type { FontNeeds, Script } from './needs.ts'

const { resolve } = createRequire(import.meta.url)

const notoSansSc = ['400Regular/NotoSansSC_400Regular', '700Bold/NotoSansSC_700Bold'].map(
  name => `@expo-google-fonts/noto-sans-sc/${name}.ttf`,
)
const nanumGothic = ['400Regular/NanumGothic_400Regular', '700Bold/NanumGothic_700Bold'].map(
  name => `@expo-google-fonts/nanum-gothic/${name}.ttf`,
)
const notoEmoji = ['@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf']

/** Fonts for scripts that LibreOffice's own fonts lack. Nanum Gothic has no ideographs, which Korean texts also use. */
const shipped: Record<Script, string[]> = {
  cjk: notoSansSc,
  emoji: notoEmoji,
  hangul: [...nanumGothic, ...notoSansSc],
}

/** Families that LibreOffice ships, or replaces with a metric-compatible font because nobody else has the original. */
const OWN =
  /^(liberation|dejavu|carlito$|caladea$|opensymbol$|gentium|linux (libertine|biolinum)|noto (sans|serif)( (arabic|armenian|georgian|hebrew|lao))?$)/

/** Maximum total size of the user's own fonts for one document, since they are all held in memory. */
const INSTALLED_BYTES = 96 * 2 ** 20

/** Chooses the font files that a document needs, as absolute paths. */
export async function chooseFonts({ families, scripts }: FontNeeds): Promise<string[]> {
  const wanted = [...families].map(familyKey).filter(family => !OWN.test(family))
  const files = new Set<string>()
  const installed = wanted.length > 0 ? await installedFonts() : new Map<string, never>()
  let bytes = 0
  for (const family of wanted) {
    for (const file of installed.get(familyKey(family)) ?? []) {
      if (bytes + file.bytes > INSTALLED_BYTES) break
      bytes += file.bytes
      files.add(file.path)
    }
  }
  for (const script of scripts) for (const specifier of shipped[script]) files.add(resolve(specifier))
  return [...files]
}
