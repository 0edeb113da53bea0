/** A statement and its transactions. */

export interface Transaction {
  date: Date
  description: string
  /** Hundredths; negative for outgoing amounts. */
  amount: number
  /** Balance printed for it, in hundredths. */
  balance: number | null
  /** From 1. */
  page: number
}

export interface Account {
  /** As printed; empty if the file names none. */
  name: string
  opening: number | null
  closing: number | null
  transactions: Transaction[]
}

export interface Statement {
  accounts: Account[]
  /** Whether the newest transaction comes first. */
  descending: boolean
}
