import { isOfConversations, testForeignIds } from './foreign-ids.ts'

testForeignIds(slot => slot.document === 'dashboard' && isOfConversations(slot), 90)
