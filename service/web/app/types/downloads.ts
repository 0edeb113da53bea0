/** Something that is downloaded on request. */
export interface Downloadable {
  id: string
  name: string
  licence: string
  /** Size of the installed file, or approximate size of the download. */
  bytes: number
  state: 'absent' | 'downloading' | 'installed'
  /** Bytes received, including those of a stopped download. */
  received: number
  /** Why the last download failed. */
  problem: string | null
  /** Whether there is anything to delete: not for models of the folder REFILE_MODELS. */
  removable: boolean
}

/** A speech model for transcriptions. */
export interface SpeechModel extends Downloadable {
  englishOnly: boolean
  /** Keys of the transcription modes for which it is recommended. */
  recommended: string[]
}

/** A font of a script, or a language of text recognition, whose `id` is its name in `ocr.languages`. */
export type Pack = Downloadable

export interface DownloadList<Item extends Downloadable> {
  /** Whether downloads are forbidden by REFILE_OFFLINE. */
  offline: boolean
  items: Item[]
}
