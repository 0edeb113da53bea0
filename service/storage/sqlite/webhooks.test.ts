import { webhookStoreContract } from '../../stores/contract/webhooks.ts'
import { embeddedStores } from '../../test/stores.ts'

webhookStoreContract(embeddedStores)
