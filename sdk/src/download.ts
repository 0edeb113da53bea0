import { ConnectionError } from './errors.ts'

/** A download that goes on after a broken connection, from the byte where it broke. */
export function resumable(
  first: ReadableStream<Uint8Array> | null,
  from: (offset: number) => Promise<ReadableStream<Uint8Array> | null>,
  retries: number,
): ReadableStream<Uint8Array> {
  let reader = first?.getReader()
  let [offset, left] = [0, retries]
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        try {
          const chunk = await reader?.read()
          if (!chunk || chunk.done) return controller.close()
          offset += chunk.value.byteLength
          return controller.enqueue(chunk.value)
        } catch (cause) {
          if (left-- <= 0) throw new ConnectionError('The connection broke during the download.', { cause })
          reader = (await from(offset))?.getReader()
        }
      }
    },
    cancel: reason => reader?.cancel(reason),
  })
}
