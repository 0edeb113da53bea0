import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardedTransport, type Network, type Transport } from '../../service/shared/net/transport.ts'

/** A public address, which the tests' network redirects to a server on loopback. */
export const PUBLIC_ADDRESS = '93.184.215.14'

/** A certificate for three names below `.example` and for `localhost`, and the authority that signed it. */
function issueCertificate(): { ca: string; cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'refile-ca-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-subj',
      '/CN=Test CA',
      '-days',
      '2',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
    )
    openssl('req', ...newKey, '-subj', '/CN=files.example', '-keyout', 'host.key', '-out', 'host.csr')
    writeFileSync(
      join(folder, 'names'),
      'subjectAltName=DNS:files.example,DNS:cdn.example,DNS:hooks.example,DNS:localhost',
    )
    const signed = ['-in', 'host.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '2', '-extfile', 'names']
    openssl('x509', '-req', ...signed, '-out', 'host.pem')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { ca: read('ca.pem'), cert: read('host.pem'), key: read('host.key') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let certificate: ReturnType<typeof issueCertificate> | undefined

export interface HttpsServer extends AsyncDisposable {
  /** `https://files.example:<port>`; `cdn.example` and `hooks.example` are the same server. */
  origin: string
  port: number
  /** The certificate authority, as PEM. */
  ca: string
  /** The guarded transport, in a network where these names have a public address that leads to the server. */
  transport: Transport
  /** The same with different resolver answers. */
  transportWith(network: Network): Transport
}

/** Starts a server on loopback with its own certificate authority. */
export async function startHttps(listener: RequestListener): Promise<HttpsServer> {
  certificate ??= issueCertificate()
  const { ca, ...own } = certificate
  const server = createServer(own, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const transportWith = (network: Network) =>
    guardedTransport({
      ca,
      resolve: async () => [{ address: PUBLIC_ADDRESS, family: 4 }],
      route: address => (address === PUBLIC_ADDRESS ? '127.0.0.1' : address),
      ...network,
    })
  return {
    origin: `https://files.example:${port}`,
    port,
    ca,
    transport: transportWith({}),
    transportWith,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
