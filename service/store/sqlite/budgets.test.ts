import { embeddedStores } from '../../test/stores.ts'
import { budgetContract } from '../contract/budgets.ts'

budgetContract(embeddedStores)
