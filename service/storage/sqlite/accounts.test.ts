import { accountStoreContract } from '../../stores/contract/accounts.ts'
import { embeddedStores } from '../../test/stores.ts'

accountStoreContract(embeddedStores)
