/** What a language needs that Refile does not bring: the data to recognise it in pictures, the font of its script. */
import type { LanguagePack } from './model.ts'
import { ocrLanguages } from './ocr-languages.ts'
import { scriptFonts } from './script-fonts.ts'

export const languagePacks: readonly LanguagePack[] = [...ocrLanguages, ...scriptFonts]
