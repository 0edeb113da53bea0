import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFauxqs } from 'fauxqs'
import type { BlobPlace } from '../../service/shared/blob-place.ts'
import { guid } from '../../service/store/interfaces/ids.ts'

const BUCKET = 'blobs'
const REMEMBERED = 10_000

/** Credentials that clients require; the storage accepts any. */
export const anyCredentials = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }

/** What happens to a request instead of an answer: an error of the storage, silence, or a connection cut midway. */
export type Fault = 500 | 503 | Refusal | 'silence' | 'cut request' | 'cut answer'

/** An error that the storage names. */
interface Refusal {
  status: number
  code: string
}

/** A storage that speaks the S3 protocol and can be made to fail. */
export interface S3Server extends AsyncDisposable {
  /** A place of its own. */
  place(settings?: Partial<BlobPlace & { kind: 's3' }>): BlobPlace & { kind: 's3' }
  /** Decides for each request from now on; before that, none fails. */
  failing(decide: (request: IncomingMessage) => Fault | undefined): void
  /** Requests so far, as `METHOD /path`; the oldest are dropped. */
  requests: { line: string; headers: IncomingMessage['headers'] }[]
  /** Multipart uploads that were started but neither completed nor aborted, with their start time. */
  unfinished: Map<string, { key: string; begunAt: number }>
}

/**
 * Starts a storage on this machine, which accepts any credentials.
 * @param folder where contents are stored; in memory without one
 */
export async function startS3(folder?: string): Promise<S3Server> {
  const storage = await startFauxqs({
    port: 0,
    logger: false,
    host: '127.0.0.1',
    init: { buckets: [BUCKET] },
    relaxedRules: { disableMinCopySourceSize: true },
    ...(folder === undefined ? {} : { s3StorageDir: folder }),
  })
  const unfinished: S3Server['unfinished'] = new Map()
  const requests: S3Server['requests'] = []
  let faultOf: Parameters<S3Server['failing']>[0] = () => undefined
  const server = createServer((incoming, answer) => {
    requests.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers })
    if (requests.length > REMEMBERED) requests.shift()
    const fault = faultOf(incoming)
    if (fault === 'silence') return
    if (fault === 'cut request') {
      incoming.once('data', () => incoming.socket.destroy())
      return
    }
    if (typeof fault === 'number' || typeof fault === 'object') {
      const { status, code } =
        typeof fault === 'object'
          ? fault
          : { status: fault, code: fault === 503 ? 'SlowDown' : 'InternalError' }
      answer.writeHead(status, { 'content-type': 'application/xml', connection: 'close' })
      return void answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
    }
    if (incoming.method === 'GET' && /[?&]uploads/.test(incoming.url ?? ''))
      return listUploads(answer, unfinished)
    forward(storage.port, incoming, answer, fault === 'cut answer', unfinished)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    place: settings => ({
      kind: 's3',
      bucket: BUCKET,
      prefix: `${guid()}/`,
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      linkSeconds: 0,
      ...settings,
    }),
    failing: decide => {
      faultOf = decide
    },
    requests,
    unfinished,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await storage.stop()
    },
  }
}

function forward(
  port: number,
  incoming: IncomingMessage,
  answer: ServerResponse,
  isCut: boolean,
  unfinished: S3Server['unfinished'],
): void {
  const { method = '', url = '', headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, reply => {
    const { searchParams, pathname } = new URL(url, 'http://storage')
    const uploadId = searchParams.get('uploadId')
    if (uploadId !== null && reply.statusCode! < 300 && (method === 'POST' || method === 'DELETE'))
      unfinished.delete(uploadId)
    answer.writeHead(reply.statusCode ?? 500, reply.headers)
    if (isCut) {
      reply.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, 1000), () => answer.destroy()))
      return
    }
    if (method === 'POST' && searchParams.has('uploads')) {
      reply.once('data', chunk => {
        const id = /<UploadId>(.*)<\/UploadId>/.exec(String(chunk))?.[1] ?? ''
        const key = decodeURIComponent(pathname).split('/').slice(2).join('/')
        unfinished.set(id, { key, begunAt: Date.now() })
      })
    }
    reply.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  incoming.on('close', () => incoming.complete || onward.destroy())
  incoming.pipe(onward)
}

/** The one listing that the storage library does not implement. */
function listUploads(answer: ServerResponse, unfinished: S3Server['unfinished']): void {
  const uploads = [...unfinished].map(
    ([id, { key, begunAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
  )
  answer.writeHead(200, { 'content-type': 'application/xml' })
  answer.end(
    `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`,
  )
}
