import { EventEmitter } from 'node:events'

/** Loaded into a forked Node process before its script: provides the `process.parentPort` of a utility process. */

const early: unknown[] = []
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void process.send?.(message),
})
const deliver = (data: unknown) => port.emit('message', { data, ports: [] })

process.on('message', message => {
  if (port.listenerCount('message') > 0) deliver(message)
  else early.push(message)
})
port.on('newListener', name => {
  if (name === 'message') setImmediate(() => early.splice(0).forEach(deliver))
})
// Electron ends its utility processes with itself.
process.on('disconnect', () => process.exit(0))
Object.assign(process, { parentPort: port })
