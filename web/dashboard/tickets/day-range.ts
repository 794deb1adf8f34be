/** Today where the reader is. */
export function dayRange(now = new Date()): { from: string; until: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  return {
    from: new Date(year, month, day).toISOString(),
    until: new Date(year, month, day + 1).toISOString(),
  }
}

/** What the lists of the first screen need beside the name of their view. */
export function dayFilters(view: string): { closed_after?: string; snoozed_before?: string } {
  if (view === 'my_closed') return { closed_after: dayRange().from }
  return view === 'my_snoozed' ? { snoozed_before: dayRange().until } : {}
}
