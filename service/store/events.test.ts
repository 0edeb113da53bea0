import { embeddedStores } from '../test/stores.ts'
import { eventsContract } from './contract/events.ts'

eventsContract(embeddedStores)
