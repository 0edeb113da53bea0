import { embeddedStores } from '../../testing/stores.ts'
import { eventsContract } from './contract/events.ts'

eventsContract(embeddedStores)
