import type { ReceiptTexts } from './shape.ts'

export const plReceipts: ReceiptTexts = {
  receipt: 'Pokwitowanie',
  invoice: 'Faktura',
  refund: 'Zwrot',
  issued: 'Wystawiono',
  to: 'Dla',
  taxNumber: 'Numer podatkowy',
  what: 'Za',
  topUp: 'Doładowanie salda',
  plan: 'Plan',
  paidBack: 'Zwrócono',
  reference: 'Numer referencyjny',
  date: 'Data',
  paid: 'Zapłacono',
  fromBalance: 'z salda',
  net: 'Netto',
  total: 'Razem',
}
