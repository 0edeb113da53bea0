import { embeddedStores } from '../../test/stores.ts'
import { jobStoreContract } from '../contract/jobs.ts'

jobStoreContract(embeddedStores)
