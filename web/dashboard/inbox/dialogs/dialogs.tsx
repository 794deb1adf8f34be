import type { ComponentType } from 'react'
import { useReturnFocus } from '../../core/return-focus.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { type TicketDialog, useTicketDialog } from '../dialog-state.ts'
import { TicketPriorityChoice, TicketStatusChoice } from './choices.tsx'
import { DeleteTicket } from './delete-ticket.tsx'
import { Merge } from './merge.tsx'
import { Assign, Transfer } from './people.tsx'
import { Print } from './print.tsx'
import { Snooze } from './snooze.tsx'
import { Split } from './split.tsx'
import { Subject } from './subject.tsx'
import { Tags } from './tags.tsx'
import { TakeOver } from './take-over.tsx'

const dialogs: Record<TicketDialog, ComponentType<{ tickets: Ticket[] }>> = {
  assign: Assign,
  transfer: Transfer,
  snooze: Snooze,
  priority: TicketPriorityChoice,
  status: TicketStatusChoice,
  tags: Tags,
  subject: Subject,
  takeOver: TakeOver,
  merge: Merge,
  split: Split,
  delete: DeleteTicket,
  print: Print,
}

/** The dialog that an action has opened. */
export default function Dialogs() {
  const asked = useTicketDialog()
  useReturnFocus(asked !== null)
  if (!asked) return null
  const Dialog = dialogs[asked.question]
  return <Dialog tickets={asked.tickets} />
}
