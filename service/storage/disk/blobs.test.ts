import { blobStoreContract } from '../../stores/contract/blobs.ts'
import { embeddedStores } from '../../test/stores.ts'

blobStoreContract(embeddedStores)
