import { embeddedStores } from '../../../testing/stores.ts'
import { fileStoreContract } from '../contract/files.ts'

fileStoreContract(embeddedStores)
