import { embeddedStores } from '../../test/stores.ts'
import { settingsStoreContract } from '../contract/settings.ts'

settingsStoreContract(embeddedStores)
