/** A worker that starts a program, never watches its service, and runs no event loop: one that is starting, or was taken over. */
import { spawn } from 'node:child_process'

spawn('sleep', ['300'], { stdio: 'ignore' })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
