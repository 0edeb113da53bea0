import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormatKey } from '../../../convert/catalogue/formats.ts'
import { message } from '../../../shared/messages/message.ts'
import { OutboundError } from '../../../shared/net/errors.ts'
import { checkedUrl, type Outbound, type OutboundResponse } from '../../../shared/net/outbound.ts'
import { guid } from '../../../store/interfaces/ids.ts'
import type { UploadedFile } from '../upload.ts'
import { CircuitBreaker } from './circuit.ts'
import { fileNameOf, withSuffix } from './file-name.ts'
import { refusalOf, refusedByServer, urlRefused } from './refusals.ts'

/** Concurrent fetches of one account; further ones are refused. */
const MAX_PER_ACCOUNT = 4
/** When to retry a refused fetch, in seconds. */
const RETRY_AFTER_SECONDS = 5
/** Enough of a file to recognise a web page. */
const PAGE_HEAD_BYTES = 512
/** Failures that are the server's fault rather than the request's; several of them open the circuit. */
const SERVER_FAILURES = new Set(['dns_failure', 'timeout', 'unreachable'])

export interface FetchRequest {
  url: string
  accountId: string
  /** The format that the caller declared. */
  format: FormatKey | undefined
  /** Largest file that is accepted. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

interface FetcherParts {
  outbound: Outbound
  /** Folder for incoming files. */
  folder: string
  /** Whether the owner allows conversions from a URL. */
  isAllowed: boolean
}

/** Fetches files from the internet for conversions requested by URL. */
export class UrlFetcher {
  readonly #outbound: Outbound
  readonly #folder: string
  readonly #isAllowed: boolean
  readonly #circuit = new CircuitBreaker()
  /** Number of running fetches by account. */
  readonly #running = new Map<string, number>()

  constructor({ outbound, folder, isAllowed }: FetcherParts) {
    this.#outbound = outbound
    this.#folder = folder
    this.#isAllowed = isAllowed
  }

  /**
   * Streams the file at a URL into the folder for incoming files. Disposing deletes it unless somebody has taken it over.
   * @throws RequestError url_fetch.* when that fails or is not allowed; nothing is then left on disk
   */
  async fetch(request: FetchRequest): Promise<UploadedFile & AsyncDisposable> {
    const { accountId, maxBytes, signal } = request
    const host = hostOf(request.url)
    if (!this.#isAllowed) throw urlRefused('url_fetch.disabled')
    const running = this.#running.get(accountId) ?? 0
    if (running >= MAX_PER_ACCOUNT) {
      const reason = message('url_fetch.rate_limited', { most: MAX_PER_ACCOUNT })
      throw urlRefused('url_fetch.rate_limited', reason, { retryAfter: RETRY_AFTER_SECONDS })
    }
    // What one account asks of a server keeps no other account from it.
    const server = `${accountId} ${host}`
    const openForMs = this.#circuit.openFor(server)
    if (openForMs > 0) {
      const seconds = Math.ceil(openForMs / 1000)
      throw urlRefused(
        'url_fetch.domain_circuit_open',
        message('url_fetch.domain_circuit_open', { host, seconds }),
      )
    }
    this.#running.set(accountId, running + 1)
    let hasAnswered = false
    try {
      await using answer = await this.#outbound(request.url, { maxBytes, signal })
      hasAnswered = true
      if (answer.status >= 500) this.#circuit.failed(server)
      const file = await this.#receive(answer, request)
      this.#circuit.succeeded(server)
      return file
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (SERVER_FAILURES.has(error.code)) this.#circuit.failed(server)
      throw refusalOf(error, { maxBytes, hasAnswered })
    } finally {
      const left = (this.#running.get(accountId) ?? 1) - 1
      if (left > 0) this.#running.set(accountId, left)
      else this.#running.delete(accountId)
    }
  }

  async #receive(answer: OutboundResponse, { url, format }: FetchRequest) {
    if (answer.status !== 200) throw refusedByServer(answer.status)
    const name = fileNameOf(answer.headers, [url, answer.url])
    if (name === undefined) throw urlRefused('url_fetch.no_filename')
    const path = join(this.#folder, guid())
    const discard = () => rm(path, { force: true })
    try {
      const bytes = await store(answer, path, format)
      return { path, name: format ? withSuffix(name, format) : name, bytes, [Symbol.asyncDispose]: discard }
    } catch (error) {
      await discard()
      throw error
    }
  }
}

/**
 * The host of a URL, with the port if it is not the usual one.
 * @throws RequestError url_fetch.invalid_url, url_fetch.invalid_scheme, url_fetch.private_ip, as far as no request is needed for that
 */
function hostOf(url: string): string {
  try {
    return checkedUrl(url).host
  } catch (error) {
    throw error instanceof OutboundError ? refusalOf(error) : error
  }
}

/** Writes the body to a new file and returns its length. */
async function store(
  { body }: OutboundResponse,
  path: string,
  format: FormatKey | undefined,
): Promise<number> {
  await using file = await open(path, 'wx', 0o600)
  let bytes = 0
  for await (const piece of body) {
    if (bytes === 0 && isWebPage(piece, format)) {
      throw urlRefused('url_fetch.invalid_content', message('url_fetch.invalid_content', { kind: 'page' }))
    }
    // Appends at the end of the previous piece.
    await file.writeFile(piece)
    bytes += piece.length
  }
  if (bytes === 0) {
    throw urlRefused('url_fetch.invalid_content', message('url_fetch.invalid_content', { kind: 'empty' }))
  }
  return bytes
}

/** Whether a web page came instead of the file, such as a login form. */
function isWebPage(head: Uint8Array, format: FormatKey | undefined): boolean {
  // Markdown may begin with HTML.
  if (format === 'md') return false
  const text = Buffer.from(head.subarray(0, PAGE_HEAD_BYTES)).toString('latin1')
  return /^(\xef\xbb\xbf)?\s*(<!--.*?-->\s*)?<(!doctype html|html)[\s>]/is.test(text)
}
