import { verifyFeeds } from './feed.ts'
import { out, step, version } from './step.ts'

await step(async () => `The feeds offer ${(await verifyFeeds(out, version)).join(', ')}.`)
