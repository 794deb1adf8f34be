/** Undoing what was just done. */
export const undo = {
  undo: 'Undo',
  last: 'Undo the last change',
  dismiss: 'Dismiss',
  seconds: (seconds: number) => `${seconds} s`,
  nothing: 'Nothing to undo. To undo an earlier change, open the history of the ticket.',
  of: (number: string, what: string) => `#${number}: ${what}`,
  done: 'Change undone',
  already: 'Already undone',
  /** `fields`: those that were undone; `kept`: a sentence for each of the others. */
  partly: (fields: string, kept: string) => `Undone: ${fields}. ${kept}`,
  none: (kept: string) => `Nothing was undone. ${kept}`,
  kept: (field: string, name: string) => `${field} stays as it is because ${name} has changed it since.`,
  keptChanged: (field: string) => `${field} stays as it is because it has changed since.`,
  keptMissing: (field: string) => `${field} stays as it is because its old value no longer exists.`,
  /** What was changed in a ticket. */
  closed: 'Closed',
  reopened: 'Reopened',
  taken: 'Assigned to you',
  assigned: (name: string) => `Assigned to ${name}`,
  unassigned: 'Unassigned',
  transferred: (department: string) => `Transferred to ${department}`,
  snoozed: (time: string) => `Snoozed until ${time}`,
  woken: 'Unsnoozed',
  spam: 'Marked as spam',
  notSpam: 'No longer spam',
  status: (status: string) => `Status: ${status}`,
  priority: (priority: string) => `Priority: ${priority}`,
  tags: 'Tags changed',
  subject: 'Subject changed',
  fields: 'Fields changed',
  other: 'Changed',
  /** Actions on many tickets. */
  changing: (done: string, total: string) => `Updating tickets: ${done} of ${total}`,
  undoing: (done: string, total: string) => `Undoing: ${done} of ${total} tickets`,
  finding: (done: string) => `Selecting tickets: ${done}`,
  manyDone: (count: number, print: string) => (count === 1 ? '1 ticket updated' : `${print} tickets updated`),
  manyClosed: (count: number, print: string) => (count === 1 ? '1 ticket closed' : `${print} tickets closed`),
  manyCanceled: (done: string, total: string) => `Stopped: ${done} of ${total} tickets updated`,
  manyUndone: (count: number, print: string) =>
    count === 1 ? 'Changes undone for 1 ticket' : `Changes undone for ${print} tickets`,
  manyUndoCanceled: (done: string) => `Stopped: changes undone for ${done} tickets`,
  manyKept: (count: number, print: string) =>
    count === 1
      ? 'Changes to 1 ticket weren’t fully undone'
      : `Changes to ${print} tickets weren’t fully undone`,
  keptAbout: 'Later changes by others were kept:',
}
