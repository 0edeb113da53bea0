import { embeddedStores } from '../../../testing/stores.ts'
import { jobModelContract } from '../contract/job-model.ts'

jobModelContract(embeddedStores)
