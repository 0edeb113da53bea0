import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const refuse = (): never => {
  throw Object.assign(new Error('The network is closed to converters.'), { code: 'EACCES' })
}

/** Disables functions of a module or class: those with these names, or all whose names match. */
function close(owner: object, names: readonly string[] | RegExp): void {
  const closed = Array.isArray(names)
    ? names
    : Object.getOwnPropertyNames(owner).filter(name => (names as RegExp).test(name))
  for (const name of closed)
    Object.defineProperty(owner, name, { value: refuse, writable: true, configurable: true })
}

/**
 * Disables JavaScript networking in this process and thread: connecting, listening, sending datagrams and resolving
 * names fail at once. Parsers have no business on the network, whatever a file asks of them. Pipes to child processes
 * keep working, since they are local sockets without an address.
 */
export function denyNetwork(): void {
  close(net.Socket.prototype, ['connect'])
  close(net.Server.prototype, ['listen'])
  close(dgram.Socket.prototype, ['bind', 'connect', 'send', 'addMembership'])
  for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    close(resolver, /^(lookup|resolve|reverse)/)
  }
  // Modules that import these functions by name get the disabled ones too.
  syncBuiltinESMExports()
}
