import { historyStoreContract } from '../../stores/contract/history.ts'
import { embeddedStores } from '../../test/stores.ts'

historyStoreContract(embeddedStores)
