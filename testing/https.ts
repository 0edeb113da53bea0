import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { type HttpsServer, startHttps } from './servers/https.ts'

/** A server on loopback with its own certificate authority, until the test ends. */
export async function httpsServer(listener: RequestListener): Promise<HttpsServer> {
  const server = await startHttps(listener)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}
