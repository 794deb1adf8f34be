/** Selecting tickets, and acting on several of them. */
export const bulk = {
  selectedShort: (count: string) => `${count} selected`,
  selectViewOf: (count: string) => `Select all ${count} in this view`,
  takeOverMany: (count: number) => `Take ${count} tickets from their assignees?`,
  takeOverManyAbout: 'You become the assignee right away. The conversations show the change.',
  mergeMany: (count: number) => `Merge ${count} tickets into`,
  mergeManyInto: (count: number, into: string) =>
    count === 1 ? `Merge 1 ticket into #${into}?` : `Merge ${count} tickets into #${into}?`,
  mergeManyAbout:
    'Messages move to that ticket, which keeps its own priority and tags. The others close. You can undo this for 10 minutes.',
  mergeOthers: (count: number) =>
    count === 1 ? '1 ticket belongs to another contact.' : `${count} tickets belong to other contacts.`,
  mergeTooMany: (most: number) => `Select at most ${most} tickets to merge.`,
  merging: (done: number, total: number) => `Merging: ${done} of ${total} tickets`,
  mergedMany: (count: number, into: string) =>
    count === 1 ? `1 ticket merged into #${into}` : `${count} tickets merged into #${into}`,
  linksCopied: 'Links copied',
  selectDown: 'Extend selection down',
  selectUp: 'Extend selection up',
  leftOut: (parts: string) => `Left out: ${parts}`,
  whyMerged: 'merged',
  /** Why tickets are left out, by action. */
  why: {
    take: 'already assigned',
    'take over': 'unassigned or yours',
    snooze: 'closed',
    wake: 'not snoozed',
    status: 'closed',
    close: 'already closed',
    'close and next': 'already closed',
    reopen: 'not closed',
    spam: 'already spam',
    'not spam': 'not spam',
  } as Record<string, string>,
  noneFits: 'This doesn’t apply to any of the selected tickets.',
  onlyOne: 'Select a single ticket to do this.',
}
