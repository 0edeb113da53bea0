import type { FileSource } from './file.ts'
import type { SentInput, SubmitSettings, Target } from './types.ts'

/** The body of a submission, or of a question without a target, with what else the request needs for it. */
export function bodyOf(
  input: SentInput,
  target: Target | undefined,
  { sourceFormat, options, webhook }: SubmitSettings,
): RequestInit {
  const steps = typeof target === 'string' ? [{ targetFormat: target, options }] : (target ?? [])
  const [first] = steps
  const list = steps.map(({ targetFormat, options }) => ({ targetFormat, options }))
  const given: Record<string, string | undefined> = {
    // One conversion is asked for as the contract has it, which every service knows.
    ...(steps.length > 1
      ? { steps: JSON.stringify(list) }
      : { targetFormat: first?.targetFormat, options: first?.options && JSON.stringify(first.options) }),
    sourceFormat: 'url' in input ? input.sourceFormat : sourceFormat,
    inputUrl: 'url' in input ? input.url : undefined,
    webhookUrl: webhook?.url,
    webhookSecret: webhook?.secret,
    webhookEvents: webhook?.events?.join(','),
  }
  const fields = Object.entries(given).filter((field): field is [string, string] => field[1] !== undefined)
  if ('stream' in input && !(input instanceof Blob)) return streamed(fields, input)
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  // Last, so that the service knows what it is to do before the bytes come.
  if (input instanceof Blob) form.set('file', input, input.name)
  else if ('data' in input) form.set('file', input.data, input.name)
  return { body: form }
}

/**
 * A form (RFC 7578) whose file is read while it is sent. Node's own ends the whole process if a file of a form cannot be read to its end,
 * and this one only the request.
 */
function streamed(fields: readonly [string, string][], file: FileSource): RequestInit {
  const boundary = `refile-${crypto.randomUUID()}`
  const quoted = (text: string) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const before = fields.map(([name, value]) => `${part(name)}${value}\r\n`).join('')
  const type = '\r\ncontent-type: application/octet-stream'
  const [head, tail] = [
    `${before}${part('file', `; filename="${quoted(file.name)}"${type}`)}`,
    `\r\n--${boundary}--\r\n`,
  ].map(text => new TextEncoder().encode(text)) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]
  const chunks = (async function* () {
    yield head
    yield* file.stream()
    yield tail
  })()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + file.size + tail.length),
  }
  return { body, headers, duplex: 'half' } as RequestInit
}
