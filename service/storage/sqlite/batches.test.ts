import { batchStoreContract } from '../../stores/contract/batches.ts'
import { embeddedStores } from '../../test/stores.ts'

batchStoreContract(embeddedStores)
