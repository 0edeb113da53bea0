import { verifyFeeds } from './feed.ts'
import { out, step, version } from './step.ts'

await step(async () => {
  if (process.platform === 'darwin' && process.env.MAC_SIGNED !== 'true')
    return 'An unsigned Mac build has no feed, since it cannot update itself.'
  return `The feeds offer ${(await verifyFeeds(out, version)).join(', ')}.`
})
