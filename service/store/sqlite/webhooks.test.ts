import { embeddedStores } from '../../test/stores.ts'
import { webhookStoreContract } from '../contract/webhooks.ts'

webhookStoreContract(embeddedStores)
