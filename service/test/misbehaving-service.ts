/**
 * The service with misbehaving workers and one slot, as a process that tests can kill. Arguments: the data folder, and how many
 * jobs may run at once.
 */
import { pino } from 'pino'
import { startService } from '../host/host.ts'
import { misbehaving } from './misbehaving.ts'
import { spawnForTests } from './spawn.ts'

const [, , home = '', slots = '1'] = process.argv
const service = await startService({
  ...misbehaving,
  home,
  port: 0,
  slots: Number(slots),
  rateLimit: 0,
  spawn: spawnForTests,
  log: pino({ level: 'silent' }),
}).catch(error => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
})
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
const { url } = service
const [apiKey, openUrl] = [await service.createKey('test'), await service.openUrl()]
process.stdout.write(`${JSON.stringify({ url, apiKey, openUrl })}\n`)
