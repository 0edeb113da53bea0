import { embeddedStores } from '../../test/stores.ts'
import { fileStoreContract } from '../contract/files.ts'

fileStoreContract(embeddedStores)
