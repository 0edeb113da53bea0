import { presetStoreContract } from '../../stores/contract/presets.ts'
import { embeddedStores } from '../../test/stores.ts'

presetStoreContract(embeddedStores)
