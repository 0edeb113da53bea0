/** The service with misbehaving workers and one slot, as a process that tests can kill. Argument: the data folder. */
import { pino } from 'pino'
import { startService } from '../host.ts'
import { misbehaving } from './misbehaving.ts'

const [, , home = ''] = process.argv
const service = await startService({
  ...misbehaving,
  home,
  port: 0,
  slots: 1,
  rateLimit: 0,
  log: pino({ level: 'silent' }),
}).catch(error => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
})
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
process.stdout.write(`${JSON.stringify({ url: service.url, apiKey: await service.createKey('test') })}\n`)
