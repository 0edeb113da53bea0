import { embeddedStores } from '../../../testing/stores.ts'
import { settingsStoreContract } from '../contract/settings.ts'

settingsStoreContract(embeddedStores)
