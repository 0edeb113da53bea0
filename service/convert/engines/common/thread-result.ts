/** The result of work in a thread: the answer, and its buffers to transfer without copying. */
export interface ThreadResult<Answer> {
  answer: Answer
  transfer: ArrayBuffer[]
}
