import Type from 'typebox'
import { nullable, oneOf, time } from '../../../core/schema.ts'
import { faultValues } from '../mailboxes/schema.ts'
import { plusResults } from './probe-result.ts'

/** The result of the test in which a mailbox sends emails to itself. */

const verdict = oneOf(['pass', 'fail', 'none', 'temperror'] as const)

export const probe = Type.Object({
  state: oneOf(['waiting', 'sent', 'ended'] as const, {
    description:
      '`waiting`: the emails are sent once the mailbox works. `sent`: not all emails have arrived. `ended`: all emails have arrived, or Deskbell has stopped waiting',
  }),
  sent_at: nullable(time),
  round_trip: nullable(
    Type.Number({
      description: 'Seconds until the email arrived; null if it has not arrived',
      examples: [3.2],
    }),
  ),
  plus: oneOf(plusResults, {
    description:
      'Whether email to a plus address arrives. `refused`: the mail server refused it. `too_long`: the plus address would be longer than email allows. `not_arrived`: the email did not arrive within 5 minutes. `untested`: the test failed before this was checked',
  }),
  plus_refusal: nullable(
    Type.String({ description: 'What the mail server said when it refused the plus address' }),
  ),
  error: nullable(
    Type.Object({
      code: Type.String({ examples: ['send_login_refused'] }),
      values: faultValues,
      text: Type.String({ description: 'Why nothing could be sent, and how to correct it, in English' }),
    }),
  ),
  authentication: nullable(
    Type.Object(
      { server: nullable(Type.String()), spf: verdict, dkim: verdict, dmarc: verdict, arc: verdict },
      {
        description:
          'What the receiving mail server says about the sender of the email; null if it says nothing. `server` is the name in its Authentication-Results header, or null if Deskbell checked the sender itself',
      },
    ),
  ),
})

export const mailboxProbe = Type.Object({
  probe: nullable({ ...probe, description: 'The latest test; null if there was none' }),
})
