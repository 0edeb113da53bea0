import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A name server on loopback, until the test ends. */
export interface DnsServer {
  /** `127.0.0.1:<port>` */
  address: string
  /** The names it was asked for, one for each question. */
  asked: string[]
}

/** What a name server says of a name: its addresses, no such name, or nothing at all. */
export type DnsAnswer = readonly string[] | 'unknown' | 'silence'

const TYPE_A = 1
const NO_SUCH_NAME = 3
const HEADER_BYTES = 12

/**
 * Starts a name server that answers questions for IPv4 addresses, and has no IPv6 ones (RFC 1035).
 * @param answer its answer for a name
 */
export async function dnsServer(answer: (name: string) => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionIn(question)
    asked.push(name)
    const reply = answer(name)
    if (reply === 'silence') return
    const addresses = reply === 'unknown' || type !== TYPE_A ? [] : reply
    const header = Buffer.from(question.subarray(0, HEADER_BYTES))
    header.writeUInt16BE(0x8180 | (reply === 'unknown' ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(addresses.length, 6)
    header.fill(0, 8)
    const records = addresses.map(text => Buffer.from([...RECORD_HEAD, ...text.split('.').map(Number)]))
    socket.send(Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...records]), port, address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked }
}

/** The name of the question, type A, class IN, a minute to live, four bytes. */
const RECORD_HEAD = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4]

function questionIn(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1), end: at + 5 }
}
