import { fileStoreContract } from '../../stores/contract/files.ts'
import { embeddedStores } from '../../test/stores.ts'

fileStoreContract(embeddedStores)
