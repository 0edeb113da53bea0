import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** How long to wait for an answer. */
const TIMEOUT_MS = 10_000

/** Sends raw bytes, for requests that no client would make; resolves when the service closes the connection. */
export function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no end of the answer')))
    socket.on('data', chunk => {
      received += chunk.toString()
    })
    socket.on('error', error => (received === '' ? reject(error) : resolve(parse(received))))
    socket.on('close', () => resolve(parse(received)))
    socket.write(text)
  })
}

/** A complete request with the service's own Host. */
export const rawRequest = (
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): string => {
  const all = { host: new URL(url).host, connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map(field => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
