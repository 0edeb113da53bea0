import { embeddedStores } from '../../../testing/stores.ts'
import { budgetContract } from '../contract/budgets.ts'

budgetContract(embeddedStores)
