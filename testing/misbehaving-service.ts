/**
 * The service with misbehaving workers and one slot, as a process that tests can kill. Arguments: the data folder, and how many
 * jobs may run at once.
 */
import { pino } from 'pino'
import { startService } from '../service/host/host.ts'
import { logUncaught } from '../service/host/log.ts'
import { stopOnSignals } from '../service/host/stopping.ts'
import { misbehaving } from './misbehaving.ts'
import { spawnForTests } from './servers/hosts/spawn.ts'

const [, , home = '', slots = '1'] = process.argv
const log = pino({ level: 'silent' })
const service = await startService({
  ...misbehaving,
  home,
  port: 0,
  slots: Number(slots),
  rateLimit: 0,
  spawn: spawnForTests,
  log,
}).catch(error => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
})
logUncaught(log, stopOnSignals(service, 0, log))
process.on('SIGUSR2', () =>
  setImmediate(() => {
    throw new Error('of the service')
  }),
)
const { url } = service
const [apiKey, openUrl] = [await service.createKey('test'), await service.openUrl()]
process.stdout.write(`${JSON.stringify({ url, apiKey, openUrl })}\n`)
