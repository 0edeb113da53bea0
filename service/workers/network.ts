import dns from 'node:dns'
import net from 'node:net'

/**
 * Takes the network away from JavaScript in this process: connecting and resolving names fail at once.
 * Parsers have no business on the network, whatever a file asks of them. Pipes to child processes keep working,
 * since those are local sockets without an address.
 */
export function denyNetwork(): void {
  const refuse = () => {
    throw Object.assign(new Error('The network is closed to converters.'), { code: 'EACCES' })
  }
  net.Socket.prototype.connect = refuse as unknown as typeof net.Socket.prototype.connect
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) {
    ;(dns as unknown as Record<string, unknown>)[name] = refuse
  }
}
