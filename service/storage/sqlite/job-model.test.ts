import { jobModelContract } from '../../stores/contract/job-model.ts'
import { embeddedStores } from '../../test/stores.ts'

jobModelContract(embeddedStores)
