import { embeddedStores } from '../../../testing/stores.ts'
import { jobStoreContract } from '../contract/jobs.ts'

jobStoreContract(embeddedStores)
