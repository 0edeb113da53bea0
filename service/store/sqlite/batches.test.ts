import { embeddedStores } from '../../../testing/stores.ts'
import { batchStoreContract } from '../contract/batches.ts'

batchStoreContract(embeddedStores)
