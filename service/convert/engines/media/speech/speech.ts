/** The interface of all engines that turn speech into text. */
import type { Message } from '../../../../shared/messages/message.ts'

/** Sample rate of the engines' input: one channel with 16 bits. */
export const SAMPLE_RATE = 16_000

export interface SpokenWord {
  /** Seconds from the start of the given audio. */
  start: number
  end: number
  text: string
  /** 0 to 1. */
  confidence?: number
}

export interface Utterance {
  /** Seconds from the start of the given audio. */
  start: number
  end: number
  text: string
  words?: SpokenWord[]
}

export interface Recognition {
  /** ISO 639 code of the language that was detected or assumed. */
  language: string
  utterances: Utterance[]
}

export interface RecognitionOptions {
  /** ISO 639 code, or `auto`. */
  language: string
  /** Words that may be said, such as names, for engines that take them as text that came before. */
  prompt?: string | undefined
  /** Share done, 0 to 1. */
  onProgress: (fraction: number) => void
}

export interface Recogniser {
  name: string
  /** What users should know about its results. */
  note?: Message
  /**
   * Transcribes a piece of audio.
   * @param sound mono samples at `SAMPLE_RATE`
   * @throws JobFailure
   */
  recognise(sound: Int16Array<ArrayBuffer>, options: RecognitionOptions): Promise<Recognition>
  close(): Promise<void>
}
