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
  silenceMs: number,
): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read())
      if (done) return
      const blocks = (rest + value.replaceAll('\r\n', '\n')).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const fields = block.split('\n').flatMap(line => {
    const [, name = '', value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    return name ? [{ name, value }] : []
  })
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  if (data.length === 0) return undefined
  return { event: fields.find(({ name }) => name === 'event')?.value ?? 'message', data: data.join('\n') }
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
