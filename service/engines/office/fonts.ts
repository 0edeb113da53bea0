/** Which font files LibreOffice gets for a document, beside its own. */
import { createRequire } from 'node:module'
import { familyKey, installedFonts } from './installed-fonts.ts'
import type { FontNeeds, Script } from './needs.ts'

const { resolve } = createRequire(import.meta.url)

const notoSansSc = ['400Regular/NotoSansSC_400Regular', '700Bold/NotoSansSC_700Bold'].map(
  name => `@expo-google-fonts/noto-sans-sc/${name}.ttf`,
)
const notoEmoji = ['@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf']

/** Fonts of scripts that LibreOffice's own lack: those that ship with Refile, and families a system may have. */
const scripts: Record<Script, { shipped: string[]; installed: string[] }> = {
  cjk: { shipped: notoSansSc, installed: [] },
  emoji: { shipped: notoEmoji, installed: [] },
  hangul: {
    shipped: [],
    installed: [
      'Malgun Gothic',
      'Apple SD Gothic Neo',
      'Noto Sans KR',
      'Noto Sans CJK KR',
      'NanumGothic',
      'Nanum Gothic',
    ],
  },
}

/** Families that come with LibreOffice, or that it has a font of the same measures for and nobody has another of. */
const OWN =
  /^(liberation|dejavu|carlito$|caladea$|opensymbol$|gentium|linux (libertine|biolinum)|noto (sans|serif)( (arabic|armenian|georgian|hebrew|lao))?$)/

/** Most bytes of the user's own fonts for one document; each is held in memory. */
const INSTALLED_BYTES = 96 * 2 ** 20

export interface ChosenFonts {
  /** Absolute paths. */
  files: string[]
  /** Scripts of the document that there is no font for. */
  missing: Script[]
}

/** Chooses the fonts for what a document asks for. */
export async function chooseFonts({ families, scripts: needed }: FontNeeds): Promise<ChosenFonts> {
  const wanted = [...families].map(familyKey).filter(family => !OWN.test(family))
  const files = new Set<string>()
  const missing: Script[] = []
  const needsInstalled = wanted.length > 0 || [...needed].some(script => scripts[script].installed.length > 0)
  const installed = needsInstalled ? await installedFonts() : new Map<string, never>()
  let bytes = 0
  const add = (family: string): boolean => {
    const found = installed.get(familyKey(family))
    if (!found) return false
    for (const file of found) {
      if (bytes + file.bytes > INSTALLED_BYTES) break
      bytes += file.bytes
      files.add(file.path)
    }
    return true
  }
  for (const family of wanted) add(family)
  for (const script of needed) {
    const { shipped, installed: candidates } = scripts[script]
    for (const specifier of shipped) files.add(resolve(specifier))
    if (shipped.length === 0 && !candidates.some(add)) missing.push(script)
  }
  return { files: [...files], missing }
}
