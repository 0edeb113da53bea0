/** What every engine that turns speech into text takes and gives. */
import type { Message } from '../../messages/message.ts'

/** Samples per second of the sound engines listen to: one channel of 16 bit. */
export const RATE = 16_000

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

export interface Heard {
  /** ISO 639 code of the language that was spoken, or of the one that was assumed. */
  language: string
  utterances: Utterance[]
}

export interface Listening {
  /** ISO 639 code, or `auto`. */
  language: string
  /** Share done, 0 to 1. */
  onProgress: (fraction: number) => void
}

export interface Recogniser {
  name: string
  /** What is to be said about its results, if anything. */
  note?: Message
  /**
   * Writes down what is said in a piece of sound.
   * @param sound mono samples at `RATE`
   * @throws JobFailure
   */
  recognise(sound: Int16Array<ArrayBuffer>, listening: Listening): Promise<Heard>
  close(): Promise<void>
}
