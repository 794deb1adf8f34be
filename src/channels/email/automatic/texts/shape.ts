/** The texts of automatic emails, for projects that have not written their own. */
export interface AutomaticEmailTexts {
  /** For a new ticket. */
  acknowledgement: string
  /** For a new ticket outside office hours. */
  away: string
}
