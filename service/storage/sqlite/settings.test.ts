import { settingsStoreContract } from '../../stores/contract/settings.ts'
import { embeddedStores } from '../../test/stores.ts'

settingsStoreContract(embeddedStores)
