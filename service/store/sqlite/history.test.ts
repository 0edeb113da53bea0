import { embeddedStores } from '../../test/stores.ts'
import { historyStoreContract } from '../contract/history.ts'

historyStoreContract(embeddedStores)
