import { eventsContract } from '../stores/contract/events.ts'
import { embeddedStores } from '../test/stores.ts'

eventsContract(embeddedStores)
