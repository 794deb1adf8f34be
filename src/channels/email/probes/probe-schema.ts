import Type from 'typebox'
import { nullable, oneOf, time } from '../../../core/schema.ts'
import { faultValues } from '../mailboxes/schema.ts'
import { plusResults } from './probe-result.ts'

/** The shape of a mailbox's test with an email to itself. */

const verdict = oneOf(['pass', 'fail', 'none', 'temperror'] as const)

export const probe = Type.Object({
  state: oneOf(['waiting', 'sent', 'ended'] as const, {
    description:
      '`waiting`: it is sent once the mailbox works. `sent`: not everything has arrived. `ended`: everything has arrived, or Deskbell no longer waits for it',
  }),
  sent_at: nullable(time),
  round_trip: nullable(
    Type.Number({ description: 'Seconds until the email had arrived; null if it has not', examples: [3.2] }),
  ),
  plus: oneOf(plusResults, {
    description:
      'Whether email to the address with a tag arrives. `refused`: the mail server refused it. `too_long`: the address with a tag would be longer than email allows. `not_arrived`: not within 5 minutes. `untested`: the test failed before',
  }),
  plus_refusal: nullable(Type.String({ description: "The mail server's words" })),
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
          'What the receiving mail server says about the sender of the email; null if it says nothing. `server` is the name in its Authentication-Results header, or null if Deskbell has checked it',
      },
    ),
  ),
})

export const mailboxProbe = Type.Object({
  probe: nullable({ ...probe, description: 'The latest test; null if there was none' }),
})
