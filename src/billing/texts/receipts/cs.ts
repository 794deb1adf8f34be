import type { ReceiptTexts } from './shape.ts'

export const csReceipts: ReceiptTexts = {
  receipt: 'Účtenka',
  invoice: 'Faktura',
  refund: 'Vrácení peněz',
  issued: 'Vystaveno',
  to: 'Pro',
  taxNumber: 'Daňové číslo',
  what: 'Za',
  topUp: 'Dobití zůstatku',
  plan: 'Tarif',
  paidBack: 'Vráceno',
  reference: 'Reference',
  date: 'Datum',
  paid: 'Zaplaceno',
  fromBalance: 'ze zůstatku',
  net: 'Bez daně',
  total: 'Celkem',
}
