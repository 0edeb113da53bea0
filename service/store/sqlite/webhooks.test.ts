import { embeddedStores } from '../../../testing/stores.ts'
import { webhookStoreContract } from '../contract/webhooks.ts'

webhookStoreContract(embeddedStores)
