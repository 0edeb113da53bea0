/** A life in which steps may fail, as they do when the disk does. Argument: its folder. */
import { live } from './life.ts'
import { placeIn } from './place.ts'

await live(placeIn(process.argv[2] ?? ''), 'instant', step => step().catch(() => undefined))
process.exit(0)
