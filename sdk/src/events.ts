import { createParser } from 'eventsource-parser'

/** The service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000

/** A server-sent event: its name, and its data as text. */
export interface ServerEvent {
  event: string
  data: string
}

/**
 * Reads server-sent events from a body, as the HTML standard describes them.
 * @param silenceMs a stream that sends nothing for this long, not even a comment, counts as broken
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs = SILENCE_MS,
): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  const events: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => void events.push({ event, data }),
  })
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read())
      if (done) return
      parser.feed(value)
      yield* events.splice(0)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream of events is silent.')), ms)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
