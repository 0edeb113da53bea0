/**
 * A life that ends by SIGKILL. Arguments: its folder, the number of the boundary at which it is killed (0: never), `instant`
 * or `real` workers.
 */

import { onBoundary } from './boundaries.ts'
import { journalTo } from './journal.ts'
import { live } from './life.ts'
import { placeIn } from './place.ts'

const [, , folder = '', point = '0', workers = 'instant'] = process.argv
const place = placeIn(folder)
const journal = journalTo(place.journal)
let boundaries = 0
onBoundary(({ name, half }) => {
  boundaries++
  if (boundaries !== Number(point)) return
  // Every second call that can be half done is left half done.
  if (boundaries % 2 === 0) half?.()
  journal({ kind: 'killed', at: name })
  process.kill(process.pid, 'SIGKILL')
})
await live(place, workers === 'real' ? 'real' : 'instant')
journal({ kind: 'ended', boundaries })
process.exit(0)
