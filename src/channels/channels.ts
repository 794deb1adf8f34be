export { insertMailIdsOf, type MailIdOf } from './email/incoming/mail-queries.ts'
