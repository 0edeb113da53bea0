import { afterAll, beforeAll, vi } from 'vitest'
import { anyCredentials, type S3Server, startS3 } from './servers/s3.ts'

export type { Fault } from './servers/s3.ts'

/**
 * Starts a storage for all tests of a file; call it outside of them.
 * @param environment variables that are set meanwhile, besides its credentials
 */
export function s3Server(environment: Record<string, string> = {}): () => S3Server {
  let server: S3Server | undefined
  beforeAll(async () => {
    const variables = { ...anyCredentials, ...environment }
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    server = await startS3()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  return () => server!
}
