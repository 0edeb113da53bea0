/** What is downloaded when somebody asks for it. */
export interface Downloadable {
  id: string
  name: string
  licence: string
  /** Size of the installed file, or about that of the download. */
  bytes: number
  state: 'absent' | 'downloading' | 'installed'
  /** Bytes that have arrived, also of a download that was stopped. */
  received: number
  /** Why the last download failed. */
  problem: string | null
  /** Whether there is anything of it that can be deleted: not so for models of the folder REFILE_MODELS. */
  removable: boolean
}

/** A speech model for transcriptions. */
export interface SpeechModel extends Downloadable {
  englishOnly: boolean
  /** Keys of the modes of transcription it is recommended for. */
  recommended: string[]
}

/** A language of text recognition: `id` is what `ocr.languages` calls it. */
export type OcrLanguage = Downloadable

export interface DownloadList<Item extends Downloadable> {
  /** Whether downloads are forbidden by REFILE_OFFLINE. */
  offline: boolean
  items: Item[]
}
