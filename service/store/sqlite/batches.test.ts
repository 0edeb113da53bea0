import { embeddedStores } from '../../test/stores.ts'
import { batchStoreContract } from '../contract/batches.ts'

batchStoreContract(embeddedStores)
