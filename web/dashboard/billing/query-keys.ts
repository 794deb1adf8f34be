import { makeKey } from '../core/query-key.ts'

export const billingKeys = {
  all: (projectId: string) => makeKey('billing', projectId),
  offer: (projectId: string) => makeKey('billing', projectId, 'offer'),
  ledger: (projectId: string) => makeKey('billing', projectId, 'ledger'),
}
