import { embeddedStores } from '../../test/stores.ts'
import { jobModelContract } from '../contract/job-model.ts'

jobModelContract(embeddedStores)
