import { budgetContract } from '../../stores/contract/budgets.ts'
import { embeddedStores } from '../../test/stores.ts'

budgetContract(embeddedStores)
