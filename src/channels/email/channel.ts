import { waitingNotices } from '../../operators/operators.ts'
import type { Channel } from '../channel.ts'
import { emailEndpoints } from './api.ts'
import { emailDashboard } from './dashboard.ts'
import { recheckDkimKeys } from './dkim/dkim-keys.ts'
import { deleteOldContents } from './incoming/old-contents.ts'
import { reportOutage } from './mailboxes/outages.ts'
import { deleteOldNoticeEmails } from './notices/answer-queries.ts'
import { sendNotices } from './notices/send-notices.ts'
import { createEmailOutlet } from './outgoing/outlet.ts'
import { runProbes } from './probes/send-probe.ts'
import { deleteExpiredSignIns } from './set-up/sign-in-queries.ts'
import { startEmail } from './start.ts'

export const emailChannel: Channel = {
  createOutlet: createEmailOutlet,
  api: emailEndpoints,
  dashboard: emailDashboard,
  start: startEmail,
  jobs: ({ config, vault, mailer }) => [
    {
      name: 'email admins about mailboxes that fail',
      everyMs: 60_000,
      run: db => reportOutage(db, mailer && { ...config, mailer }),
    },
    { name: 'test mailboxes', everyMs: 10_000, run: db => runProbes({ config, db, vault }) },
    { name: 'check DKIM records', everyMs: 600_000, run: recheckDkimKeys },
    {
      name: 'delete originals of old mails',
      everyMs: 600_000,
      run: db => deleteOldContents(db, config.mailRawDays),
    },
    { name: 'delete expired sign-ins of mailboxes', everyMs: 600_000, run: deleteExpiredSignIns },
    { name: 'delete old emails to operators', everyMs: 600_000, run: deleteOldNoticeEmails },
  ],
  dueJobs: deps => [
    {
      name: 'email operators about their tickets',
      kind: 'notices',
      waiting: waitingNotices,
      run: (db, projectId) => sendNotices(db, projectId, deps),
    },
  ],
}
