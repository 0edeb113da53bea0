import { afterAll, beforeAll } from 'vitest'
import { anyCredentials, type S3Server, startS3 } from './s3-server.ts'

export type { Fault } from './s3-server.ts'

/**
 * Starts a storage for all tests of a file; call it outside of them.
 * @param environment variables that are set meanwhile, besides its credentials
 */
export function s3Server(environment: Record<string, string> = {}): () => S3Server {
  let server: S3Server | undefined
  const before = { ...process.env }
  beforeAll(async () => {
    Object.assign(process.env, anyCredentials, environment)
    server = await startS3()
  })
  afterAll(async () => {
    process.env = before
    await server?.[Symbol.asyncDispose]()
  })
  return () => server!
}
