import { embeddedStores } from '../../test/stores.ts'
import { accountStoreContract } from '../contract/accounts.ts'

accountStoreContract(embeddedStores)
