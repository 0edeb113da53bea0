/**
 * What the system asks for by events of macOS: files and links. They may come before anything else of the app is loaded, so
 * this module is the first, and keeps them.
 */
import { app } from 'electron'
import { type Request, readCommandLine } from './command-line.ts'

const waiting: Request[] = []
let ask = (request: Request): void => void waiting.push(request)

app.on('open-file', (event, path) => {
  event.preventDefault()
  ask({ files: [path], target: null, page: null, hidden: false })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  ask(readCommandLine([link], '/'))
})

/** From now on `answer` gets these requests, and first the earlier ones. */
export function takeRequests(answer: (request: Request) => void): void {
  ask = answer
  for (const request of waiting.splice(0)) answer(request)
}
