import { embeddedStores } from '../../test/stores.ts'
import { presetStoreContract } from '../contract/presets.ts'

presetStoreContract(embeddedStores)
