import { embeddedStores } from '../../../testing/stores.ts'
import { presetStoreContract } from '../contract/presets.ts'

presetStoreContract(embeddedStores)
