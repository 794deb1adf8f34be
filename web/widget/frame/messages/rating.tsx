import { useState } from 'preact/hooks'
import type { Ticket } from '../core/records.ts'
import { text } from '../core/text.ts'
import { rate } from '../tickets/tickets.ts'

const faces = ['😞', '🙁', '😐', '🙂', '😀']

interface FacesProps {
  chosen: number | null
  choose: (rating: number) => void
}

const RateFaces = ({ chosen, choose }: FacesProps) => (
  <div class="rates">
    {faces.map((face, at) => (
      <label key={face} title={text.value.rates[at]}>
        <input
          type="radio"
          name="rating"
          value={at + 1}
          checked={chosen === at + 1}
          aria-label={text.value.rates[at]}
          onChange={() => choose(at + 1)}
        />
        <span aria-hidden="true">{face}</span>
      </label>
    ))}
  </div>
)

function Thanks({ change }: { change: () => void }) {
  return (
    <div class="rating is-done" role="status">
      <p>{text.value.rateThanks}</p>
      <button type="button" class="quiet" onClick={change}>
        {text.value.rateChange}
      </button>
    </div>
  )
}

/** Shown after the end of a conversation. */
export function Rating({ ticket }: { ticket: Ticket }) {
  const [isAsked, setAsked] = useState(ticket.rating === null)
  const [chosen, choose] = useState<number | null>(ticket.rating)
  const [comment, setComment] = useState('')
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const send = async (event: Event) => {
    event.preventDefault()
    setState('sending')
    try {
      await rate(ticket.id, chosen!, comment.trim() || null)
      setState('idle')
      setAsked(false)
    } catch {
      setState('failed')
    }
  }
  if (!isAsked) return <Thanks change={() => setAsked(true)} />
  return (
    <form class="rating" onSubmit={send}>
      <fieldset>
        <legend>{text.value.rate}</legend>
        <RateFaces chosen={chosen} choose={choose} />
      </fieldset>
      {chosen !== null && (
        <>
          <textarea
            rows={2}
            maxLength={2_000}
            value={comment}
            aria-label={text.value.rateMore}
            placeholder={text.value.rateMore}
            onInput={event => setComment(event.currentTarget.value)}
          />
          {state === 'failed' && (
            <p class="problem" role="alert">
              {text.value.failed}
            </p>
          )}
          <button type="submit" class="main" disabled={state === 'sending'}>
            {text.value.send}
          </button>
        </>
      )}
    </form>
  )
}
