import { spawn } from 'node:child_process'
import { getHeapStatistics } from 'node:v8'

/** A worker for the spawner's tests: reports on itself, starts a program, or hangs. */
const port = (
  process as unknown as {
    parentPort: {
      on: (event: 'message', listener: (event: { data: unknown }) => void) => void
      postMessage: (message: unknown) => void
    }
  }
).parentPort

port.on('message', ({ data }) => {
  if (data === 'environment') port.postMessage(process.env)
  if (data === 'heap') port.postMessage(getHeapStatistics().heap_size_limit)
  if (data === 'exit') process.exit(3)
  if (data === 'print') process.stderr.write('the last words\n', () => process.exit(4))
  if (data === 'hang') {
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    port.postMessage(program.pid)
    // Long enough for the message to be sent; after that, it no longer responds.
    setTimeout(() => {
      for (;;);
    }, 100)
  }
})
port.postMessage('ready')
