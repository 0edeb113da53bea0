import { jobStoreContract } from '../../stores/contract/jobs.ts'
import { embeddedStores } from '../../test/stores.ts'

jobStoreContract(embeddedStores)
