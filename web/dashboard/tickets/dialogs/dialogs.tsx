import type { ComponentType } from 'react'
import { type Question, useAsked } from '../asked.ts'
import type { Ticket } from '../queries.ts'
import { Merge } from './merge.tsx'
import { Assign, Transfer } from './people.tsx'
import { Snooze } from './snooze.tsx'
import { Split } from './split.tsx'
import { Subject } from './subject.tsx'
import { Tags } from './tags.tsx'
import { TakeOver } from './take-over.tsx'
import { PriorityChoice, StatusChoice } from './words.tsx'

const dialogs: Record<Question, ComponentType<{ tickets: Ticket[] }>> = {
  assign: Assign,
  transfer: Transfer,
  snooze: Snooze,
  priority: PriorityChoice,
  status: StatusChoice,
  tags: Tags,
  subject: Subject,
  takeOver: TakeOver,
  merge: Merge,
  split: Split,
}

/** The dialog that an action has opened. */
export default function Dialogs() {
  const asked = useAsked()
  if (!asked) return null
  const Dialog = dialogs[asked.question]
  return <Dialog tickets={asked.tickets} />
}
