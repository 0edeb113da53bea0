/** The speech models that Refile offers: those of whisper.cpp, as its own repository publishes them. */
import type { Model } from './model.ts'

/** Values of the option `transcription.mode`. */
export type TranscriptionMode = 'fast' | 'quality' | 'meeting-intelligence'

export interface SpeechModel extends Model {
  /** Whether it only knows English. */
  englishOnly: boolean
  /** Modes for which it is recommended. */
  recommended: readonly TranscriptionMode[]
}

/**
 * @param mebibytes size as published, rounded
 * @param sha1 checksum from the README of whisper.cpp's models
 */
const model = (
  id: string,
  name: string,
  mebibytes: number,
  sha1: string,
  recommended: readonly TranscriptionMode[] = [],
): SpeechModel => ({
  id,
  name: `Whisper ${name}`,
  licence: 'MIT',
  file: `ggml-${id}.bin`,
  address: `https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-${id}.bin`,
  bytes: mebibytes * 2 ** 20,
  mostBytes: Math.ceil(mebibytes * 1.1 + 1) * 2 ** 20,
  checksum: { algorithm: 'sha1', hex: sha1 },
  englishOnly: id.endsWith('.en'),
  recommended,
})

/** From the fastest and least accurate to the slowest and most accurate. */
export const speechModels: readonly SpeechModel[] = [
  model('tiny', 'tiny', 75, 'bd577a113a864445d4c299885e0cb97d4ba92b5f'),
  model('tiny.en', 'tiny, English', 75, 'c78c86eb1a8faa21b369bcd33207cc90d64ae9df'),
  model('base', 'base', 142, '465707469ff3a37a2b9b8d8f89f2f99de7299dac', ['fast']),
  model('base.en', 'base, English', 142, '137c40403d78fd54d454da0f9bd998f78703390c'),
  model('small', 'small', 466, '55356645c2b361a969dfd0ef2c5a50d530afd8d5'),
  model('medium', 'medium', 1536, 'fd9727b6e1217c2f614f9b698455c4ffd82463b4'),
  model('large-v3-turbo-q5_0', 'large v3 turbo, compact', 547, 'e050f7970618a659205450ad97eb95a18d69c9ee', [
    'quality',
    'meeting-intelligence',
  ]),
  model('large-v3-turbo', 'large v3 turbo', 1536, '4af2b29d7ec73d781377bfd1758ca957a807e941'),
]

/** The models that each mode prefers, best first. */
const preferredModels: Record<TranscriptionMode, readonly string[]> = {
  fast: ['base', 'tiny', 'small', 'large-v3-turbo-q5_0', 'large-v3-turbo', 'medium'],
  quality: ['large-v3-turbo', 'large-v3-turbo-q5_0', 'medium', 'small', 'base', 'tiny'],
  'meeting-intelligence': ['large-v3-turbo', 'large-v3-turbo-q5_0', 'medium', 'small', 'base', 'tiny'],
}

/**
 * The best available model for a mode and a language. English-only models are preferred for English, last if the
 * language is to be detected (`auto`), and never used for another language.
 */
export function chooseModel<T extends { model: SpeechModel }>(
  installed: readonly T[],
  mode: TranscriptionMode,
  language: string,
): T | undefined {
  const rank = ({ model: { id, englishOnly } }: T) => {
    const position = preferredModels[mode].indexOf(id.replace(/\.en$/, '')) * 2
    if (!englishOnly) return position + 1
    return language === 'en' ? position : position + 100
  }
  return installed
    .filter(({ model }) => !model.englishOnly || language === 'en' || language === 'auto')
    .toSorted((a, b) => rank(a) - rank(b))[0]
}
