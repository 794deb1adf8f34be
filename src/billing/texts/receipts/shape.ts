/** The texts of receipts, invoices and refunds. */
export interface ReceiptTexts {
  receipt: string
  invoice: string
  refund: string
  issued: string
  to: string
  taxNumber: string
  /** Before what is paid for: one of the next three. */
  what: string
  topUp: string
  plan: string
  paidBack: string
  reference: string
  date: string
  /** Before how it was paid: the next one. */
  paid: string
  fromBalance: string
  net: string
  total: string
}
