import { embeddedStores } from '../../../testing/stores.ts'
import { accountStoreContract } from '../contract/accounts.ts'

accountStoreContract(embeddedStores)
