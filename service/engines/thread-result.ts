/** What a work that runs in a thread gives back: its answer, and the buffers of it to hand over uncopied. */
export interface ThreadResult<Answer> {
  answer: Answer
  transfer: ArrayBuffer[]
}
