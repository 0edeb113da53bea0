/** The interface of every engine that turns speech into text. */
import type { Message } from '../../messages/message.ts'

/** Samples per second of the sound engines listen to: one channel of 16 bit. */
export const SAMPLE_RATE = 16_000

export interface SpokenWord {
  /** Seconds from the start of the sound that was given. */
  start: number
  end: number
  text: string
  /** 0 to 1. */
  confidence?: number
}

export interface Utterance {
  /** Seconds from the start of the sound that was given. */
  start: number
  end: number
  text: string
  words?: SpokenWord[]
}

export interface Recognition {
  /** ISO 639 code of the language that was spoken, or of the one that was assumed. */
  language: string
  utterances: Utterance[]
}

export interface RecognitionOptions {
  /** ISO 639 code, or `auto`. */
  language: string
  /** Share done, 0 to 1. */
  onProgress: (fraction: number) => void
}

export interface Recogniser {
  name: string
  /** What users should know about its results. */
  note?: Message
  /**
   * Transcribes a piece of sound.
   * @param sound mono samples at `SAMPLE_RATE`
   * @throws JobFailure
   */
  recognise(sound: Int16Array<ArrayBuffer>, options: RecognitionOptions): Promise<Recognition>
  close(): Promise<void>
}
