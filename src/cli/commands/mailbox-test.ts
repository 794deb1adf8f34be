import { setTimeout as pause } from 'node:timers/promises'
import { requestProbe, type ShownProbe, showProbe } from '../../channels/email/probes/probe-result.ts'
import { type MailboxTrial, tryMailbox } from '../../channels/email/set-up/try-mailbox.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import { type AccountNoun, accountCallerOf, findProjectOfAccount } from './account-commands.ts'
import { openMailVault } from './mail-vault.ts'

/** Tests a mailbox, with `--probe` also by sending an email to itself. */

export const mailboxNoun: AccountNoun = { command: 'mailbox', noun: 'Mailbox', table: 'mailboxes' }

/** How long the command waits for the test email, in milliseconds. */
const maxWaitMs = 60_000
const pollIntervalMs = 500

async function probe(session: CliSession, projectId: string, id: string): Promise<ShownProbe | null> {
  const deps = { ...session, vault: await openMailVault(session) }
  const end = Date.now() + maxWaitMs
  let { probe: found } = await requestProbe(deps, accountCallerOf(projectId), id)
  while (found && found.state !== 'ended' && Date.now() < end) {
    await pause(pollIntervalMs)
    ;({ probe: found } = await showProbe(session.db, projectId, id))
  }
  return found
}

const plusSentences: Record<ShownProbe['plus'], string> = {
  waiting: 'The email to the plus address has not arrived yet.',
  works: 'Email to plus addresses arrives, so each ticket gets its own reply address.',
  refused:
    'The mail server refuses email to plus addresses, so tickets do not get their own reply addresses.',
  too_long:
    'The address is too long for a tag after a plus sign, so tickets do not get their own reply addresses.',
  not_arrived:
    'The email to the plus address did not arrive, so tickets do not get their own reply addresses.',
  untested: 'Plus addresses were not tested.',
}

function describe({ state, error, round_trip, plus }: ShownProbe): string {
  if (error) return `The test email could not be sent. ${error.text}`
  if (state === 'waiting') return 'The test email will be sent once the mailbox works.'
  if (round_trip !== null)
    return `The test email arrived after ${round_trip.toFixed(1)} s. ${plusSentences[plus]}`
  return state === 'sent'
    ? 'The test email was sent, but has not arrived yet. Run the command without --probe later to see the result.'
    : `The test email did not arrive within 5 minutes. ${plusSentences[plus]}`
}

type TestResult = MailboxTrial & { probe: ShownProbe | null }

const testCommand = command(
  {
    name: 'mailbox test',
    about:
      'Tests a mailbox: logs in to its servers for receiving and sending, or says where this server accepts its email. Also shows the result of the latest test email',
    arguments: ['ID'],
    flags: ['probe'],
    notes: {
      probe:
        'also send a test email from the mailbox to itself, and wait up to a minute for it; the server must be running',
    },
  },
  async (session, values): Promise<TestResult> => {
    const { ID: id = '' } = values
    const projectId = await findProjectOfAccount(session, mailboxNoun, id)
    const trial = await tryMailbox({ ...session, vault: await openMailVault(session) }, projectId, id)
    if (values.probe !== undefined) return { ...trial, probe: await probe(session, projectId, id) }
    return { ...trial, ...(await showProbe(session.db, projectId, id)) }
  },
  ({ text: found, sending, probe: shown }) =>
    [found, sending?.text, shown && describe(shown)].filter(Boolean).join('\n'),
)

/** The exit code is 1 if the mailbox does not work. */
export const mailboxTestCommand: Command = {
  ...testCommand,
  run: async values => {
    const { result } = await testCommand.run(values)
    const { ok, sending, probe: shown } = result as TestResult
    const isLost = values.probe !== undefined && shown?.round_trip === null
    return { result, status: ok && sending?.ok !== false && !isLost ? 0 : 1 }
  },
}
